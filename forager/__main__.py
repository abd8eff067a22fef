"""`python -m forager` is the command `forager`, wherever its script was put."""

from importlib.metadata import entry_points

if __name__ == "__main__":
    command, *_ = entry_points(group="console_scripts", name="forager")
    command.load()()
