"""Who may use the server: the request guard, logins, the API token and security headers."""
