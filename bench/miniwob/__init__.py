"""MiniWoB++ (arXiv 1802.08802): small pages with a goal and a reward, to test browser actions."""
