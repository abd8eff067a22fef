"""MiniWoB++ (arXiv 1802.08802): small pages with a goal and a reward, for the action layer."""
