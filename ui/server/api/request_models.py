"""The bodies of the API's requests: the options of the commands, as JSON."""

from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from forager.domain.spend import Budget
from graphs.experiments.trial import MAX_QUESTIONS
from graphs.runtime.halts import Halts, read_breakpoints
from graphs.spec.spec import MAX_BYTES, Breakpoint, GraphSpec

Text = Annotated[str, Field(max_length=20_000)]
Address = Annotated[str, Field(max_length=2_000)]
GraphName = Annotated[str, Field(max_length=100)]
"""A preset, a saved graph or a version of one, as `name@3`."""
Addresses = Annotated[tuple[Address, ...], Field(max_length=100)]
NodeMapping = Annotated[dict[Address, Address], Field(max_length=100)]
GraphValues = Annotated[dict[GraphName, bool | int | float | Text], Field(max_length=50)]
MOST_AT_ONCE = 200
"""How many rows of a batch may be worked on at once."""
SessionName = Annotated[str, Field(max_length=64)]


def _example(**members: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [members]})


class RequestBody(BaseModel):
    """A body that may have no other members than its own."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False
    )


class BreakpointRequest(RequestBody):
    """Where a run pauses."""

    breakpoints: Annotated[dict[Address, Breakpoint], Field(max_length=500)] = Field(
        default_factory=dict
    )
    """Where it pauses: `before`, `after` or `both`, by the path of a node, such as walk/act."""
    step: bool = False
    """Whether it pauses before each next node."""

    @property
    def halts(self) -> Halts:
        """Where the run halts."""
        return read_breakpoints(self.breakpoints, step=self.step)


class NewSession(BreakpointRequest):
    """A session to start."""

    model_config = _example(
        question="Which engineer built the Skarn lighthouse?",
        sites=["https://lights.example.org/"],
        budget={"pages": 20},
    )
    question: Text
    """What you want to know."""
    sites: Addresses = ()
    """The front pages of the sites to read; without any, the web is searched."""
    graph: GraphName | GraphSpec = "forager"
    """A preset, a saved graph (`name` or `name@3`), or a whole spec; never a file."""
    parameters: GraphValues = Field(default_factory=dict)
    """Values of the graph's parameters that differ from its defaults."""
    model: Text = ""
    """The models, as in `--model`; empty means those of the settings."""
    budget: Budget = Budget()
    """Limits of the run."""
    seed: int = 0
    """The seed of every random draw."""
    session: SessionName | None = None
    """The id of the session; by default a new one."""


class FollowUp(RequestBody):
    """The next question of a session."""

    model_config = _example(question="How high is it?")
    question: Text
    """The question; it is understood from what was asked before."""
    budget: Budget | None = None
    """Limits of this turn; without them, those of the turn before."""


class ResumeOptions(BreakpointRequest):
    """How to resume a session."""

    model_config = _example(model="openai:gpt-5-mini")
    model: Text = ""
    """Another model to continue with."""


class SteerRequest(RequestBody):
    """A change in the middle of a run."""

    model_config = _example(hint="Look in the annual reports.", budget={"pages": 30})
    hint: Text = ""
    """A hint, such as where to look."""
    sites: Addresses = ()
    """More sites to read."""
    forbid: Addresses = ()
    """Hosts, or addresses and all below them, not to read."""
    budget: Budget | None = None
    """New limits; those that are not named stay."""


class ContinueRequest(SteerRequest):
    """A return to an earlier step."""

    model_config = _example(checkpoint=7, hint="Look in the annual reports.")
    checkpoint: int | str | None = None
    """The number or the id of the checkpoint; without one, the last."""
    set_aside: Annotated[tuple[Text, ...], Field(max_length=100)] = ()
    """The ids of quotes that do not answer: a session that ended reads on without them."""


class ForkRequest(ContinueRequest):
    """A new session that continues from a checkpoint of this one."""

    model_config = _example(checkpoint=7, session="q07-mango", graph="mango")
    turn: int | None = None
    """The turn that the checkpoint belongs to; without one, the last."""
    model: Text = ""
    """Another model."""
    graph: GraphName | GraphSpec = ""
    """Another graph."""
    mapping: NodeMapping = Field(default_factory=dict)
    """For each node that is to run next, the node of the other graph where it continues."""
    session: SessionName | None = None
    """The id of the new session; by default a free one."""
    values: Annotated[dict[GraphName, JsonValue], Field(max_length=50)] = Field(
        default_factory=dict
    )
    """Keys of the state that are changed by hand, as `GET …/state` shows them."""
    run: bool = True
    """Whether it runs at once; otherwise it waits to be resumed."""


class TryNodeRequest(RequestBody):
    """A node to run alone, on the input that it had in a session."""

    model_config = _example(graph="mine", at=12)
    graph: GraphName | GraphSpec = ""
    """The graph that has the node now; without one, that of the session."""
    at: Annotated[int, Field(ge=1)] | None = None
    """The event where the recorded run began; without one, the last run of the node."""
    turn: int | None = None
    """The turn of that run; without one, the last."""
    model: Text = ""
    """Another model."""


class MoveRequest(RequestBody):
    """Another graph for a session, to see where it would continue there."""

    model_config = _example(graph="mango", checkpoint=7)
    graph: GraphName | GraphSpec = ""
    """The other graph."""
    mapping: NodeMapping = Field(default_factory=dict)
    """For each node that is to run next, the node of the other graph where it continues."""
    checkpoint: int | str | None = None
    """The number or the id of the checkpoint; without one, the last."""
    turn: int | None = None
    """The turn that the checkpoint belongs to; without one, the last."""


class TitleChange(RequestBody):
    """A session's title in lists."""

    model_config = _example(title="Lighthouses")
    title: Text
    """The title; an empty one means the question."""


class TagChange(RequestBody):
    """The tags of a session."""

    model_config = _example(tags=["rome", "to read"])
    tags: tuple[Text, ...]
    """All its tags, in the place of those that it has."""


class Decision(RequestBody):
    """The answer to an approval request."""

    model_config = _example(yes=True)
    yes: bool
    """Whether the action is approved."""


class ForgetRequest(RequestBody):
    """What to remove from the memory; one of these has to be named."""

    model_config = _example(site="https://lights.example.org/")
    ids: Annotated[tuple[str, ...], Field(max_length=10_000)] = ()
    """Entries by their ids."""
    site: Address = ""
    """Everything learned on a site."""
    session: Address = ""
    """Everything learned from a session."""
    all: bool = False
    """The whole memory."""


class GraphRequest(RequestBody):
    """A graph to check or to draw."""

    model_config = _example(graph="mango")
    graph: GraphName | GraphSpec
    """A preset, a saved graph (`name` or `name@3`), or a whole spec."""


class DiffRequest(RequestBody):
    """Two graphs to compare."""

    model_config = _example(old="mine@1", new="mine")
    old: GraphName | GraphSpec
    """The graph before."""
    new: GraphName | GraphSpec
    """The graph after."""


class NewVersion(RequestBody):
    """A new version of a graph, from its text or from a spec; one of both."""

    model_config = _example(
        text="name: mine\nnodes: {answer: {type: answerer}}\n"
        "edges: [start -> answer, answer.end -> end]\n",
        note="only the answer",
    )
    text: Annotated[str, Field(max_length=MAX_BYTES)] | None = None
    """YAML or JSON."""
    graph: GraphSpec | None = None
    """A spec; it is written into the text of `base`, whose comments stay."""
    note: Text = ""
    """What the version is about."""
    base: int | None = None
    """The newest version that is known; without one, the graph is new."""


class CopyRequest(RequestBody):
    """A new graph from another one."""

    model_config = _example(source="mango")
    source: GraphName
    """A preset, a saved graph, or a version of one."""
    note: Text = ""
    """What the version is about."""


class RestoreRequest(RequestBody):
    """An earlier version, to become the newest one."""

    model_config = _example(version=1)
    version: Annotated[int, Field(ge=1)]
    """Its number."""
    note: Text = ""
    """What the version is about."""


class NameChange(RequestBody):
    """A new name for a saved graph."""

    model_config = _example(name="ours")
    name: GraphName
    """The name."""


class TrialQuestion(RequestBody):
    """A question of a trial."""

    question: Text
    """What to ask."""
    sites: Addresses = ()
    """The front pages of the sites to read."""
    answer: Annotated[tuple[Text, ...], Field(max_length=100)] | Text | None = None
    """What a right answer contains, alternatives between `|`; without it, it is not graded."""


class TrialRequest(RequestBody):
    """Two graphs, and what to ask both."""

    model_config = _example(
        graph="forager",
        other="mango",
        questions=[{"question": "Who built the Skarn lighthouse?", "answer": "Lindqvist"}],
    )
    graph: Address | GraphSpec
    """A preset, a saved graph (`name` or `name@3`), or a whole spec."""
    other: Address | GraphSpec
    """The graph to compare it with."""
    questions: Annotated[tuple[TrialQuestion, ...], Field(max_length=MAX_QUESTIONS)]
    """The questions."""
    model: Text = ""
    """The models, as in `--model`; empty means those of the settings."""
    budget: Budget = Budget()
    """Limits of each run."""
    seed: int = 0
    """The seed of every random draw."""


class StartBatch(RequestBody):
    """How the questions of a batch are asked."""

    model_config = _example(sites=["https://docs.example.org/"], budget={"pages": 20}, at_once=4)
    sites: Addresses = ()
    """The front pages of the sites to read for rows that name none."""
    graph: GraphName | GraphSpec = "forager"
    """A preset, a saved graph (`name` or `name@3`), or a whole spec; never a file."""
    parameters: GraphValues = Field(default_factory=dict)
    """Values of the graph's parameters that differ from its defaults."""
    model: Text = ""
    """The models, as in `--model`; empty means those of the settings."""
    budget: Budget = Budget()
    """Limits of each row."""
    at_once: Annotated[int, Field(ge=1, le=MOST_AT_ONCE)] = 4
    """How many rows are worked on at the same time."""


class ResumeBatch(RequestBody):
    """How to resume a batch."""

    model_config = _example(retry_failed=True)
    retry_failed: bool = False
    """Whether rows that failed are asked again."""
