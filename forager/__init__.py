"""What nodes stand on: state, ports, pure algorithms and the adapters to the outside."""
