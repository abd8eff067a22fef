"""What nodes stand on: state, ports, pure algorithms and the adapters to the outside."""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # noqa: TID251  # a setting of a library, not ours
"""onnxruntime reports its use to its maker otherwise; it reads this when it is first imported."""
