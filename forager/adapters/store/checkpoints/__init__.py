"""Checkpoints of runs: saved in pieces, copied, rewound, handed on."""
