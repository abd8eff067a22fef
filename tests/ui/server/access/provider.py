"""An OpenID provider on loopback: whoever asks picks a person, and is that person."""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.servers import Asked, Reply, Site

CLIENT = "forager"
SECRET = "known-to-the-two-of-them"
KEY = "one"


@dataclass(frozen=True)
class Begun:
    """A login that a code stands for."""

    person: str
    nonce: str
    challenge: str
    redirect: str


class Provider(Site):
    """Signs for the claims of its `persons`, by name, while entered."""

    def __init__(self, persons: Mapping[str, Mapping[str, object]]) -> None:
        super().__init__()
        self._persons = persons
        self._codes: dict[str, Begun] = {}
        self._key = RSAKey.generate_key(2048, {"kid": KEY, "use": "sig", "alg": "RS256"})
        self.routes = {
            "/.well-known/openid-configuration": self._configuration,
            "/authorize": self._authorize,
            "/chosen": self._chosen,
            "/token": self._token,
            "/keys": lambda asked: _json({"keys": [self._key.as_dict(private=False)]}),
            "/out": self._out,
        }

    def _configuration(self, asked: Asked) -> Reply:
        return _json(
            {
                "issuer": self.url(""),
                "authorization_endpoint": self.url("/authorize"),
                "token_endpoint": self.url("/token"),
                "jwks_uri": self.url("/keys"),
                "end_session_endpoint": self.url("/out"),
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "code_challenge_methods_supported": ["S256"],
            }
        )

    def _authorize(self, asked: Asked) -> Reply:
        given = _query(asked)
        assert given["client_id"] == CLIENT
        assert given["response_type"] == "code"
        assert {"openid", "email"} <= set(given["scope"].split())
        assert given["code_challenge_method"] == "S256"
        links = (
            f'<p><a href="/chosen?{escape(urlencode({**given, "person": name}))}">{name}</a></p>'
            for name in self._persons
        )
        return Reply(f"<title>Who are you?</title>{''.join(links)}")

    def _chosen(self, asked: Asked) -> Reply:
        given = _query(asked)
        code = secrets.token_urlsafe()
        self._codes[code] = Begun(
            given["person"], given["nonce"], given["code_challenge"], given["redirect_uri"]
        )
        query = urlencode({"code": code, "state": given["state"]})
        return _moved(f"{given['redirect_uri']}?{query}")

    def _token(self, asked: Asked) -> Reply:
        known = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        given = _fields(asked.body.decode())
        begun = self._codes.pop(given["code"])
        digest = hashlib.sha256(given["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        sent = asked.headers["authorization"].removeprefix("Basic ")
        if (sent, challenge, given["redirect_uri"]) != (known, begun.challenge, begun.redirect):
            return Reply(json.dumps({"error": "invalid_grant"}), 400, "application/json")
        now = int(time.time())
        claims = {
            "iss": self.url(""),
            "sub": begun.person,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": begun.nonce,
            **self._persons[begun.person],
        }
        signed = jwt.encode({"alg": "RS256", "kid": KEY}, claims, self._key)
        return _json(
            {
                "access_token": secrets.token_urlsafe(),
                "token_type": "Bearer",
                "expires_in": 300,
                "id_token": signed,
            }
        )

    def _out(self, asked: Asked) -> Reply:
        return _moved(_query(asked)["post_logout_redirect_uri"])


def _query(asked: Asked) -> dict[str, str]:
    return _fields(urlsplit(asked.path).query)


def _fields(text: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(text).items()}


def _json(body: object) -> Reply:
    return Reply(json.dumps(body), kind="application/json")


def _moved(to: str) -> Reply:
    return Reply(status=302, headers={"Location": to})
