"""The browser: size and recall of observations, replay of states, and predicted side effects."""
