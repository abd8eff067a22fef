"""The bodies of the API's requests and answers.

Made by scripts/generate_client.py from the OpenAPI document; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Edge = str

JsonValue = Any

Piece = tuple[str] | tuple[str, bool]

QuoteBlock = tuple[Literal["text", "heading", "item", "row", "code"], list[list[Piece]]]


class ApiModel(BaseModel):
    """A body; members that a newer server adds are kept."""

    model_config = ConfigDict(
        allow_inf_nan=False, extra="allow", frozen=True, populate_by_name=True
    )


class AccountChange(ApiModel):
    """What to change of an account; what is left out stays."""

    role: Literal["viewer", "asker", "editor", "admin"] | None = None
    disabled: bool | None = None
    password: str | None = None
    usd_per_month: float | None = None
    """The most US dollars in a month; null means no limit."""
    sessions_at_once: int | None = None
    """The most sessions that run at once; null means no limit."""


class AccountLine(ApiModel):
    """An account, its limits, and what it has spent this month."""

    name: str
    email: str
    """The address by which a provider vouches for it; empty for none."""
    role: Literal["viewer", "asker", "editor", "admin"]
    disabled: bool
    usd_per_month: float | None
    """The most US dollars in a month; null means no limit."""
    sessions_at_once: int | None
    """The most sessions that run at once; null means no limit."""
    spent: float
    """The US dollars of this month (UTC)."""
    created: float


class AccountRef(ApiModel):
    """The account that was changed or removed."""

    name: str


class Annotation(ApiModel):
    """A citation of the answer."""

    type: Literal["url_citation"] = "url_citation"
    url_citation: UrlCitation


class Answer(ApiModel):
    """The answer. Its text cites ledger ids in brackets; `open` lists what is still unanswered.

    `leads` are the words that answer each sub-question, where rules chose the quotes. `reason`
    says why it is not `answered`, `nearest` is the quote that came closest.
    """

    text: str
    status: Literal["answered", "partial", "abstained", "failed"]
    table: Table | None = None
    citations: list[Citation] = Field(default_factory=list)
    leads: list[Lead] = Field(default_factory=list)
    doubts: list[Doubt] = Field(default_factory=list)
    open: list[str] = Field(default_factory=list)
    reason: str = ""
    nearest: NearestQuote | None = None


class AnswerMessage(ApiModel):
    """The answer."""

    role: Literal["assistant"] = "assistant"
    content: str
    """The text; its marks, such as `[[1]](https://…)`, are links to what it cites."""
    refusal: None = None
    annotations: list[Annotation]
    """The citations, in the order of their marks."""


class ApprovalRequest(ApiModel):
    """A request to approve an action, or to take over the browser where only a person can go on.

    `what` describes the action, `why` is the reason for asking, `picture` the blob of a
    screenshot.
    """

    kind: Literal["approve", "take over"]
    what: str
    why: str = ""
    url: str = ""
    picture: str = ""


class ApprovalRow(ApiModel):
    """A request with its answer, None while it waits; `time` is in seconds since the epoch."""

    id: str
    time: float
    plea: ApprovalRequest
    answer: bool | None = None


class ArmReport(ApiModel):
    """An arm with its posterior Beta(alpha, beta) and how often it was judged (`draws`).

    `prior` is α and β before the first visit, `round` that of the last visit (0: none),
    `outcome` the verdict on it. The last round of a run has no verdict but `found` or
    `nothing`.
    """

    url: str
    title: str
    site: str
    score: float
    alpha: float
    beta: float
    draws: int
    prior: tuple[float, float] = (1.0, 1.0)
    round: int = 0
    outcome: (
        Literal["", "found", "nothing"] | Literal["adequate", "partial", "feasible", "infeasible"]
    ) = ""


class BatchRef(ApiModel):
    """The batch that was added or changed."""

    batch: str
    """Its id."""


class BatchRowLine(ApiModel):
    """A row of a batch, with the outcome that it has; `session` is empty before it begins.

    `lead` are the words that answer, `confidence` is how likely they do, 0 to 1.
    """

    id: str
    question: str
    sites: list[str] = Field(default_factory=list)
    status: str
    lead: str = ""
    answer: str = ""
    confidence: float | None = None
    uncertain: bool = False
    usd: float = 0.0
    pages: int = 0
    seconds: float = 0.0
    error: str = ""
    session: str = ""


class BatchRowPage(ApiModel):
    """Some rows of a batch, in the order of the file, and how many there are on all pages."""

    rows: list[BatchRowLine]
    count: int


class BatchStatus(ApiModel):
    """How far a batch has come.

    `ready` has not been started; `interrupted` ended by an error, which `error` tells.
    `statuses` counts the rows by status: `running`, `open` (not begun), and those of sessions,
    with `uncertain` for answered rows with a doubt, `unlikely` for answers that are more likely
    wrong than right and `empty` for partial ones without an answer. The rate and the estimate
    are those of the present run, null before its first answer.
    """

    batch: str
    name: str
    created: float
    state: Literal[
        "ready", "running", "pausing", "stopping", "paused", "stopped", "interrupted", "done"
    ]
    error: str = ""
    rows: int
    done: int
    statuses: dict[str, int]
    usd: float
    pages: int
    per_minute: float | None = None
    seconds_left: float | None = None
    usd_left: float | None = None
    graph: str = ""
    model: str = ""
    budget: Budget = Field(default_factory=lambda: Budget.model_validate({"seconds": 600.0}))
    sites: list[str] = Field(default_factory=list)
    at_once: int = 1


class BrowserAction(ApiModel):
    """An action in a browser: `what` in words, the page that it led to, or why it failed.

    `changed` says what it changed on the site.
    """

    round: int
    what: str
    outcome: Literal["moved", "failed"]
    url: str = ""
    why: str = ""
    changed: str = ""


class Budget(ApiModel):
    """What a question may spend. None leaves rounds and steps to the graph, others unlimited."""

    rounds: int | None = None
    """arms drawn"""
    steps: int | None = None
    """actions in one round"""
    pages: int | None = None
    """pages fetched in all, survey included"""
    seconds: float = 600
    """seconds of work, survey included"""
    calls: int | None = None
    """model calls"""
    tokens: int | None = None
    """tokens in and out"""
    usd: float | None = None
    """US dollars"""


class Cell(ApiModel):
    """A cell of a table, with the ids of the ledger entries that support it."""

    text: str
    cites: list[str] = Field(default_factory=list)


class Change(ApiModel):
    """Something added (+), removed (-) or changed (~): what it is, its text before and after."""

    sign: Literal["+", "-", "~"]
    what: str
    before: str = ""
    after: str = ""


class ChatCompletion(ApiModel):
    """A whole answer."""

    id: str
    """`chatcmpl-`, the session and its turn."""
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    """Seconds since the epoch."""
    model: str
    choices: list[Choice]
    usage: Usage
    session: str
    """The session that answered; OpenAI has no such member."""
    status: str
    """answered, partial or abstained; OpenAI has no such member."""


class ChatError(ApiModel):
    """An error as OpenAI's clients read it."""

    message: str
    """What happened, and how to mend it."""
    type: str
    """invalid_request_error or server_error."""
    param: str | None = None
    """The member that is wrong."""
    code: str | None = None
    """invalid_api_key or model_not_found."""


class ChatErrorAnswer(ApiModel):
    """The body of every error below /v1."""

    error: ChatError
    """What happened."""
    mend: str
    """How to mend it."""


class ChatMessage(ApiModel):
    """A message of the conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    """Who wrote it."""
    content: str | list[ContentPart] | None = None
    """What it says."""


class ChatModel(ApiModel):
    """A graph as a model."""

    id: str
    """The graph's name."""
    object: Literal["model"] = "model"
    created: int
    """When its newest version was saved, in seconds since the epoch; 0 for a preset."""
    owned_by: str
    """`forager` for a preset, else whoever saved it."""


class ChatModels(ApiModel):
    """All graphs as models."""

    object: Literal["list"] = "list"
    data: list[ChatModel]


class ChatRequest(ApiModel):
    """A conversation whose last message is a question; OpenAI's other options change nothing."""

    model: str = "forager"
    """A graph: a preset, a saved graph, or a version of one."""
    messages: list[ChatMessage]
    """The conversation; the last message is the user's."""
    stream: bool = False
    """Whether the answer is sent as server-sent events."""
    stream_options: StreamOptions | None = None
    """Options of the stream."""
    n: int | None = None
    """How many answers; only 1 is possible."""
    seed: int | None = None
    """The seed of every random draw."""
    response_format: ResponseFormat | None = None
    """Only text is possible."""
    sites: list[str] = Field(default_factory=list)
    """The front pages of the sites to read. Without it, the addresses in the messages are."""
    budget: Budget | None = None
    """Limits of this question."""


class Check(ApiModel):
    """A finding: `missing` keeps something from working, `off` is a choice or dispensable."""

    name: str
    state: Literal["ok", "missing", "off"]
    found: str
    mend: str = ""


class Choice(ApiModel):
    """The only choice."""

    index: Literal[0] = 0
    message: AnswerMessage
    finish_reason: Literal["stop"] = "stop"
    logprobs: None = None


class Citation(ApiModel):
    """A quote that supports the answer: characters `start` to `end` of the document in `blob`."""

    id: str
    url: str
    title: str
    quote: str
    blob: str
    start: int
    end: int


class ContentPart(ApiModel):
    """A part of a message; only texts can be read."""

    type: str
    """`text`; anything else is refused."""
    text: str = ""
    """The text."""


class ContinueRequest(ApiModel):
    """A return to an earlier step."""

    hint: str = ""
    """A hint, such as where to look."""
    sites: list[str] = Field(default_factory=list)
    """More sites to read."""
    forbid: list[str] = Field(default_factory=list)
    """Hosts, or addresses and all below them, not to read."""
    budget: Budget | None = None
    """New limits; those that are not named stay."""
    checkpoint: int | str | None = None
    """The number or the id of the checkpoint; without one, the last."""
    set_aside: list[str] = Field(default_factory=list)
    """The ids of quotes that do not answer: a session that ended reads on without them."""


class CopyRequest(ApiModel):
    """A new graph from another one."""

    source: str
    """A preset, a saved graph, or a version of one."""
    note: str = ""
    """What the version is about."""


class DamagedSummary(ApiModel):
    """A saved graph that cannot be read; it can be deleted."""

    name: str
    damaged: Literal[True] = True


class Decision(ApiModel):
    """The answer to an approval request."""

    yes: bool
    """Whether the action is approved."""


class DeletedSession(ApiModel):
    """A session that was deleted."""

    session: str
    """Its id."""
    forgotten: int
    """How many entries of the memory were deleted with it."""


class DiffRequest(ApiModel):
    """Two graphs to compare."""

    old: str | GraphSpec
    """The graph before."""
    new: str | GraphSpec
    """The graph after."""


class Difference(ApiModel):
    """One change: `at` is a node's name, an edge as written, or empty for the whole graph.

    `at` is a place in the new graph, or in the old one for what was removed. `was` is the old
    name of a renamed node, or the old form of a changed edge.
    """

    sign: Literal["+", "-", "~"]
    at: str
    message: str
    was: str = ""


class Doubt(ApiModel):
    """A sentence of an answer that the quotes do not support, and why."""

    sentence: str
    why: str


class EarlierTurn(ApiModel):
    """An earlier turn: the question as written, as understood if that differs, and the answer.

    `uncertain` says that the answer counts as answered although a part of it is weaker than
    that.
    """

    number: int
    question: str
    meant: str = ""
    status: str
    uncertain: bool = False
    answer: str
    citations: list[Citation] = Field(default_factory=list)


class ErrorAnswer(ApiModel):
    """The body of every error."""

    error: str
    """What happened."""
    mend: str
    """How to mend it."""


class Event(ApiModel):
    """An event with its session."""

    seq: int
    time: float
    node: str
    kind: str
    message: str
    data: dict[str, JsonValue]
    session: str


class FieldFault(ApiModel):
    """A member of a request body that is not valid."""

    type: str
    """Pydantic's name for the fault."""
    loc: list[str | int]
    """Where it is: names of members, numbers of items."""
    msg: str
    """What is wrong."""


class Finding(ApiModel):
    """A fault: `at` is the node's name, the edge as written, or empty for the whole graph.

    `fix` is an edit that removes the fault, if there is a sensible one. If there are several,
    the others are its `alternatives`; one that is not `sure` is a guess, too. `also` are the
    places of other faults that have the same cause, and go with the same fix.
    """

    severity: Literal["error", "warning"] = "error"
    at: str
    message: str
    mend: str = ""
    fix: Fix | None = None
    alternatives: list[Fix] = Field(default_factory=list)
    sure: bool = True
    also: list[str] = Field(default_factory=list)


class Fix(ApiModel):
    """A small edit of a graph, or of the graph at the path `inside`; `label` describes it.

    `cut` removes all edges equal to these, `draw` adds edges; `remove` removes nodes with their
    edges, `rename` renames nodes, `put` adds or replaces nodes, `declare` adds or replaces
    parameters of the graph, and `drop` removes them.
    """

    label: str
    inside: list[str] = Field(default_factory=list)
    cut: list[Edge] = Field(default_factory=list)
    draw: list[Edge] = Field(default_factory=list)
    remove: list[str] = Field(default_factory=list)
    rename: dict[str, str] | None = None
    put: dict[str, NodeSpec] | None = None
    declare: dict[str, Parameter] | None = None
    drop: list[str] = Field(default_factory=list)


class FollowUp(ApiModel):
    """The next question of a session."""

    question: str
    """The question; it is understood from what was asked before."""
    budget: Budget | None = None
    """Limits of this turn; without them, those of the turn before."""


class ForgetRequest(ApiModel):
    """What to remove from the memory; one of these has to be named."""

    ids: list[str] = Field(default_factory=list)
    """Entries by their ids."""
    site: str = ""
    """Everything learned on a site."""
    session: str = ""
    """Everything learned from a session."""
    all: bool = False
    """The whole memory."""


class ForgottenItems(ApiModel):
    """How much was forgotten."""

    forgotten: int
    """The number of entries."""


class ForkRequest(ApiModel):
    """A new session that continues from a checkpoint of this one."""

    hint: str = ""
    """A hint, such as where to look."""
    sites: list[str] = Field(default_factory=list)
    """More sites to read."""
    forbid: list[str] = Field(default_factory=list)
    """Hosts, or addresses and all below them, not to read."""
    budget: Budget | None = None
    """New limits; those that are not named stay."""
    checkpoint: int | str | None = None
    """The number or the id of the checkpoint; without one, the last."""
    set_aside: list[str] = Field(default_factory=list)
    """The ids of quotes that do not answer: a session that ended reads on without them."""
    turn: int | None = None
    """The turn that the checkpoint belongs to; without one, the last."""
    model: str = ""
    """Another model."""
    graph: str | GraphSpec = ""
    """Another graph."""
    mapping: dict[str, str] | None = None
    """For each node that is to run next, the node of the other graph where it continues."""
    session: str | None = None
    """The id of the new session; by default a free one."""
    values: dict[str, JsonValue] | None = None
    """Keys of the state that are changed by hand, as `GET …/state` shows them."""
    run: bool = True
    """Whether it runs at once; otherwise it waits to be resumed."""


class GraphMove(ApiModel):
    """The plan of a session's move to another graph."""

    graph: str
    hash: str
    pending: list[PendingNode] = Field(default_factory=list)
    differences: list[Difference] = Field(default_factory=list)


class GraphRef(ApiModel):
    """The graph that was created or changed."""

    name: str


class GraphRequest(ApiModel):
    """A graph to check or to draw."""

    graph: str | GraphSpec
    """A preset, a saved graph (`name` or `name@3`), or a whole spec."""


class GraphSpec(ApiModel):
    """A whole graph. Its layout and what nodes are said to be for are not part of its hash.

    `positions` are the nodes' places on the canvas, `folds` the groups of nodes drawn as one
    box, `notes` texts that lie between them. `breakpoints` are where runs of a draft pause, by
    the path of a node: walk/act is inside walk. Nodes refer to the `parameters` as `$name`.
    """

    name: str
    description: str = ""
    parameters: dict[str, Parameter] | None = None
    nodes: dict[str, NodeSpec]
    edges: list[Edge]
    positions: dict[str, tuple[float, float]] | None = None
    folds: dict[str, list[str]] | None = None
    notes: dict[str, Note] | None = None
    breakpoints: dict[str, Literal["before", "after", "both"]] | None = None


class GraphSummary(ApiModel):
    """A graph's shares of right (None without gold) and answered, its means, its median seconds."""

    graph: str
    questions: int
    right: float | None
    answered: float
    loads: float
    requested: float
    fetched: float
    fetching: float
    calls: float
    tokens: float
    usd: float
    seconds: float


class Health(ApiModel):
    """The server is up."""

    status: Literal["ok"] = "ok"
    version: str
    """The version of the program."""
    running: int | None = None
    """How many sessions of whoever asks run in this process; left out without a token."""


class HistoryPoint(ApiModel):
    """A checkpoint: `number` counts from 1 within its turn, `time` is in seconds since the epoch.

    `ran` are the nodes whose results it holds, `next` the nodes to run after it (`end`: none).
    `source` is `loop`, `update` where a stopped run was answered, `fork` where the session went
    back. `outcome` is the verdict of a node, the end of a visit or of the run, in its own word.
    `seconds` are those of work until then. `on_path` is true on the way to the newest
    checkpoint (`current`), false on side branches.
    """

    number: int
    id: str
    parent: str
    time: float
    ran: list[str] = Field(default_factory=list)
    next: list[str] = Field(default_factory=list)
    source: str = "loop"
    message: str = ""
    outcome: str = ""
    seconds: float = 0.0
    current: bool = False
    on_path: bool = True


class InvalidBodyAnswer(ApiModel):
    """An error with the faults of a body."""

    error: str
    """What happened."""
    mend: str
    """How to mend it."""
    faults: list[FieldFault]
    """Each fault, in the body's order."""


class Lead(ApiModel):
    """What answers a sub-question (`part`): characters `start` to `end` of the quote in `quote`.

    `text` is these words, or for `yes_no` the word Yes or No that they mean. They stand in the
    sentence, list or code from `sentence_start` to `sentence_end`, which for `sentence` is all
    that is known. `confidence` is how likely the quote answers, 0 to 1, null if it was not
    rated.
    """

    part: str
    kind: Literal["value", "name", "date", "yes_no", "steps", "list", "comparison", "sentence"]
    text: str
    quote: str
    start: int
    end: int
    sentence_start: int
    sentence_end: int
    confidence: float | None = None


class ListedSession(ApiModel):
    """A session in a list."""

    id: str
    created: float = 0.0
    changed: float = 0.0
    question: str = ""
    sites: list[str] = Field(default_factory=list)
    title: str
    status: Literal[
        "answered",
        "partial",
        "abstained",
        "failed",
        "running",
        "waiting",
        "paused",
        "interrupted",
        "damaged",
    ]
    graph: str = ""
    model: str = ""
    asked: str = ""
    forked_from: str = ""
    forked_step: int = 0
    answer: str = ""
    pages: int = 0
    spend: Spend = Field(
        default_factory=lambda: Spend.model_validate(
            {
                "actions": 0,
                "pages_fetched": 0,
                "pages_cached": 0,
                "model_calls": 0,
                "tokens_in": 0,
                "tokens_out": 0,
                "tokens_cached": 0,
                "usd": 0.0,
                "refused": 0,
                "seconds": 0.0,
            }
        )
    )
    pinned: bool = False
    tags: list[str] = Field(default_factory=list)
    uncertain: bool = False
    searched: str = ""
    first_question: str = ""
    turn: int


class MadeToken(ApiModel):
    """A new token with its value, which is told this once."""

    id: str
    name: str
    scope: Literal["read", "ask", "edit", "admin"]
    """What it may do: each scope includes those before it (read, ask, edit, admin)."""
    created: float
    used: float | None
    """When it was last used, to the minute; null means never."""
    expires: float | None
    token: str


class MemoryItem(ApiModel):
    """An item of the memory: an attempt (`episode`) or a step (`snippet`).

    `asked` is the question it was learned from; `told` what was done or learned, perhaps in
    words of a page; `time` in seconds since the epoch; `likeness` the similarity to the search
    text.
    """

    id: str
    kind: Literal["episode", "snippet"]
    session: str
    turn: int
    time: float
    site: str
    url: str = ""
    asked: str
    outcome: str
    told: str
    likeness: float | None = None


class ModelExchange(ApiModel):
    """A task of a node: the prompt as sent, the model's texts, and the reply as it was parsed.

    Where the built-in rule answered, `model`, `sent` and `said` are empty.
    """

    task: str
    model: str = ""
    sent: list[PromptPart] = Field(default_factory=list)
    said: list[str] = Field(default_factory=list)
    reply: str = ""


class MoveRequest(ApiModel):
    """Another graph for a session, to see where it would continue there."""

    graph: str | GraphSpec = ""
    """The other graph."""
    mapping: dict[str, str] | None = None
    """For each node that is to run next, the node of the other graph where it continues."""
    checkpoint: int | str | None = None
    """The number or the id of the checkpoint; without one, the last."""
    turn: int | None = None
    """The turn that the checkpoint belongs to; without one, the last."""


class NameChange(ApiModel):
    """A new name for a saved graph."""

    name: str
    """The name."""


class NearestQuote(ApiModel):
    """The quote that comes closest to what was not found, and why it does not answer."""

    id: str
    url: str
    title: str
    quote: str
    why: str


class NewAccount(ApiModel):
    """An account to be made."""

    name: str
    role: Literal["viewer", "asker", "editor", "admin"]
    email: str = ""
    """The address by which a provider vouches for it."""
    password: str = ""
    """Its password; without one, it logs in through a provider."""


class NewSession(ApiModel):
    """A session to start."""

    breakpoints: dict[str, Literal["before", "after", "both"]] | None = None
    """Where it pauses: `before`, `after` or `both`, by the path of a node, such as walk/act."""
    step: bool = False
    """Whether it pauses before each next node."""
    question: str
    """What you want to know."""
    sites: list[str] = Field(default_factory=list)
    """The front pages of the sites to read; without any, the web is searched."""
    graph: str | GraphSpec = "forager"
    """A preset, a saved graph (`name` or `name@3`), or a whole spec; never a file."""
    parameters: dict[str, bool | int | float | str] | None = None
    """Values of the graph's parameters that differ from its defaults."""
    model: str = ""
    """The models, as in `--model`; empty means those of the settings."""
    budget: Budget = Field(default_factory=lambda: Budget.model_validate({"seconds": 600.0}))
    """Limits of the run."""
    seed: int = 0
    """The seed of every random draw."""
    session: str | None = None
    """The id of the session; by default a new one."""


class NewShare(ApiModel):
    """A session or a graph to be shared."""

    kind: Literal["session", "graph"]
    thing: str
    """The session's id, or the name of a saved graph."""
    account: str = ""
    """With whom; empty means everyone who has an account."""


class NewToken(ApiModel):
    """A token to be made."""

    name: str
    """What it is for."""
    scope: Literal["read", "ask", "edit", "admin"]
    days: float | None = None
    """After so many days it expires; null means never."""


class NewVersion(ApiModel):
    """A new version of a graph, from its text or from a spec; one of both."""

    text: str | None = None
    """YAML or JSON."""
    graph: GraphSpec | None = None
    """A spec; it is written into the text of `base`, whose comments stay."""
    note: str = ""
    """What the version is about."""
    base: int | None = None
    """The newest version that is known; without one, the graph is new."""


class NodeRun(ApiModel):
    """One run of a node, named with the graphs around it. Times are seconds since the turn began.

    `edges` are those taken to reach it; the last run also has those that lead to the end.
    """

    seq: int
    node: str
    branch: str = ""
    began: float
    ended: float | None = None
    status: Literal["now", "done", "failed", "asked", "interrupted"] = "now"
    route: str = ""
    message: str = ""
    edges: list[str] | None = None


class NodeSpec(ApiModel):
    """A node: its type, the parameters that differ from the defaults, and its own instructions.

    `prompts` maps tasks of the node to instructions that replace the shipped ones.
    `description` says to a reader what the node is for.
    """

    type: str
    description: str = ""
    params: dict[str, JsonValue] | None = None
    prompts: dict[str, str] | None = None


class NodeTrial(ApiModel):
    """What a node did now (`tried`), and what the step of the session recorded."""

    tried: NodeWork
    recorded: NodeWork


class NodeWork(ApiModel):
    """Run `number` of `count` of a node: the state it was given, and what it changed.

    `step` is the step of the session to continue from to run it again; 0 if it has not been
    saved. `how` explains in words why there is no prompt.
    """

    node: str
    type: str
    number: int
    count: int
    status: str
    route: str = ""
    seconds: float | None = None
    calls: int = 0
    tokens: int = 0
    message: str = ""
    step: int = 0
    input: list[ShownValue] = Field(default_factory=list)
    output: list[Change] = Field(default_factory=list)
    asked: list[ModelExchange] = Field(default_factory=list)
    how: str = ""


class Note(ApiModel):
    """A note on the canvas; `place` is its left and upper edge, its width and its height."""

    text: str = ""
    colour: Literal["yellow", "green", "blue", "grey"] = "yellow"
    place: tuple[float, float, float, float]


class PageCacheSize(ApiModel):
    """The number of pages, and the bytes that their bodies take."""

    pages: int = 0
    bytes: int = 0


class Parameter(ApiModel):
    """A parameter: what values it takes, the one it has unless another is set, and its meaning."""

    type: Literal["integer", "number", "text", "boolean"]
    default: bool | int | float | str
    help: str = ""


class PasswordChange(ApiModel):
    """One's own new password."""

    old: str = ""
    """The present password."""
    new: str


class PendingNode(ApiModel):
    """A node that runs next, and the node of the new graph at which it continues.

    The node walk/extract is inside the graph walk. Where it cannot go on at `to`, `reason` says
    why. `choices` are the nodes where it can, likeliest first; `note` names nodes that would be
    skipped.
    """

    node: str
    type: str
    to: str
    reason: str = ""
    note: str = ""
    choices: list[str] = Field(default_factory=list)


class PresetGraph(ApiModel):
    """A preset with its text and its spec."""

    name: str
    text: str
    """The YAML as it is written."""
    spec: GraphSpec
    hash: str
    preset: Literal[True] = True


class PresetSummary(ApiModel):
    """A graph that ships with the program."""

    name: str
    description: str
    hash: str
    preset: Literal[True] = True


class PromptPart(ApiModel):
    """A message of a prompt."""

    role: str
    text: str


class Quote(ApiModel):
    """A quote and its page; `id` is that of the ledger entry."""

    id: str
    url: str
    title: str
    quote: str


class QuoteContext(ApiModel):
    """A quote and the text before and after it; `share` (0 to 1) of the page lies before it.

    `link` shows the quote in a browser. `stands` is false where the page is no longer stored,
    or does not have the quote at its place. `blocks` are the lines of all three, the quote
    marked.
    """

    before: str = ""
    quote: str
    after: str = ""
    share: float = 0.0
    link: str
    stands: bool = False
    blocks: list[QuoteBlock] = Field(default_factory=list)


class RecipeLine(ApiModel):
    """A path through a site that led to an answer before."""

    number: int
    kept: float
    """When it was kept, in seconds since the epoch."""
    site: str
    question: str


class RecipeRef(ApiModel):
    """The recipe that was deleted."""

    number: int


class RenamedSession(ApiModel):
    """A session with its new title."""

    session: str
    """Its id."""
    title: str


class Report(ApiModel):
    """A session's outcome, or what it has so far."""

    session: str
    graph: str
    graph_hash: str
    model: str
    status: Literal[
        "answered",
        "partial",
        "abstained",
        "failed",
        "running",
        "waiting",
        "paused",
        "interrupted",
        "damaged",
    ]
    answer: str
    table: Table | None = None
    citations: list[Quote] = Field(default_factory=list)
    leads: list[Lead] = Field(default_factory=list)
    evidence: list[ReportedEvidence] = Field(default_factory=list)
    open: list[str] = Field(default_factory=list)
    reason: str = ""
    nearest: NearestQuote | None = None
    notes: list[str] = Field(default_factory=list)
    doubts: list[Doubt] = Field(default_factory=list)
    visited: list[VisitedPage] = Field(default_factory=list)
    actions: list[BrowserAction] = Field(default_factory=list)
    pleas: list[ReportedApproval] = Field(default_factory=list)
    arms: list[ArmReport] = Field(default_factory=list)
    spent: ReportedSpend = Field(
        default_factory=lambda: ReportedSpend.model_validate(
            {
                "actions": 0,
                "pages_fetched": 0,
                "pages_cached": 0,
                "model_calls": 0,
                "tokens_in": 0,
                "tokens_out": 0,
                "usd": 0.0,
                "seconds": 0.0,
                "rounds": 0,
            }
        )
    )
    meant: str = ""
    turns: list[EarlierTurn] = Field(default_factory=list)
    error: str = ""


class ReportedApproval(ApiModel):
    """An approval request and its answer, null as long as there is none."""

    kind: Literal["approve", "take over"]
    what: str
    why: str = ""
    url: str = ""
    outcome: str
    answer: bool | None = None


class ReportedEvidence(ApiModel):
    """A quote of the ledger: its sub-question (`part`), the round that found it, and its place.

    `quote` is characters `start` to `end` of the document in `blob`, under the heading
    `section`; `score` is how well it answers the sub-question, about 0 to 2. `dated` is the
    date that the page gives itself, `also` are pages that say the same; `agrees` and
    `conflicts` are the ids of evidence that agrees or conflicts with it.
    """

    id: str
    url: str
    title: str
    quote: str
    part: str
    round: int
    part_text: str = ""
    section: str = ""
    blob: str = ""
    start: int = 0
    end: int = 0
    score: float = 0.0
    cited: bool = False
    fetched: datetime | None = None
    dated: str = ""
    also: list[str] = Field(default_factory=list)
    agrees: list[str] = Field(default_factory=list)
    conflicts: list[str] = Field(default_factory=list)


class ReportedSpend(ApiModel):
    """What a session used, with its rounds, and how many it makes at most, where that is known."""

    actions: int = 0
    pages_fetched: int = 0
    pages_cached: int = 0
    model_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    usd: float = 0.0
    refused: int = 0
    seconds: float = 0.0
    rounds: int = 0


class ResponseFormat(ApiModel):
    """The format of the answer."""

    type: str = "text"
    """Only `text` can be written."""


class RestoreRequest(ApiModel):
    """An earlier version, to become the newest one."""

    version: int
    """Its number."""
    note: str = ""
    """What the version is about."""


class ResumeBatch(ApiModel):
    """How to resume a batch."""

    retry_failed: bool = False
    """Whether rows that failed are asked again."""


class ResumeOptions(ApiModel):
    """How to resume a session."""

    breakpoints: dict[str, Literal["before", "after", "both"]] | None = None
    """Where it pauses: `before`, `after` or `both`, by the path of a node, such as walk/act."""
    step: bool = False
    """Whether it pauses before each next node."""
    model: str = ""
    """Another model to continue with."""


class RoundDraw(ApiModel):
    """A round of the bandit: the sampled value of each arm by its number, and the arms drawn.

    `outcomes` are the verdicts on the drawn arms, in their order; an empty text for none yet.
    """

    round: int
    samples: dict[str, float] | None = None
    arms: list[int] = Field(default_factory=list)
    outcomes: list[str] = Field(default_factory=list)
    strategy: str = ""


class SavedSummary(ApiModel):
    """The newest version of a saved graph."""

    name: str
    number: int
    hash: str
    note: str
    author: str
    time: float
    """When it was saved, in seconds since the epoch."""
    origin: str
    """The graph it was made from."""
    description: str


class ScreenshotAnswer(ApiModel):
    """The last picture of the page in the browser; without members if there is none."""

    kind: str | None = None
    """The media type of the picture."""
    time: float | None = None
    """Seconds since the epoch."""
    what: str | None = None
    """The action that came next."""
    url: str | None = None
    image: str | None = None
    """The picture in base64."""


class SearchResult(ApiModel):
    """A page that a search found; `rank` counts from 1, `source` names the provider."""

    url: str
    title: str
    snippet: str
    rank: int
    source: str


class SearchResults(ApiModel):
    """The results of a search, best first, with notes on failed providers and omitted results."""

    results: list[SearchResult] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)


class SessionPage(ApiModel):
    """A page of the list of sessions."""

    sessions: list[ListedSession]
    """The sessions of this page, newest first."""
    count: int
    """How many there are on all pages."""


class SessionRef(ApiModel):
    """The session that was created or changed."""

    session: str
    """Its id."""


class ShareLine(ApiModel):
    """What is shared, by whom and with whom."""

    id: str
    kind: Literal["session", "graph"]
    thing: str
    title: str
    """What lists show: the session's title or question, or the graph's name."""
    owner: str
    account: str
    """With whom; empty means everyone who has an account."""
    created: float


class ShareList(ApiModel):
    """What one shares, and what one was given, newest first."""

    given: list[ShareLine]
    received: list[ShareLine]


class ShareRef(ApiModel):
    """The share that was ended."""

    id: str


class SharedCopy(ApiModel):
    """The name of one's own copy of a shared graph."""

    name: str


class SharedLink(ApiModel):
    """A session with the path, on this server, of the page that its link opens."""

    session: str
    """Its id."""
    path: str


class ShownValue(ApiModel):
    """A key of the state and its value as text."""

    key: str
    text: str


class SiteMapPicture(ApiModel):
    """A site's pages as parallel lists, with their places in a picture."""

    site: str
    pages: int
    """How many pages the map has."""
    left_out: int
    """How many of them the lists leave out."""
    complete: bool
    """Whether the survey came to its end."""
    url: list[str]
    title: list[str]
    depth: list[int]
    """Clicks from the root."""
    parent: list[int]
    """The index of the page that links it; -1 for the root."""
    x: list[float]
    y: list[float]


class Spend(ApiModel):
    """What was spent so far, summed by the compiler; `refused` counts calls beyond the budget."""

    actions: int = 0
    pages_fetched: int = 0
    pages_cached: int = 0
    model_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    usd: float = 0.0
    refused: int = 0
    seconds: float = 0.0


class SpendingHistory(ApiModel):
    """What was spent: parallel lists with an entry for each checkpoint that cost something."""

    round: list[int]
    ran: list[str]
    """The nodes that ran."""
    pages: list[int]
    calls: list[int]
    tokens: list[int]
    dollars: list[float]
    seconds: list[float]


class StartBatch(ApiModel):
    """How the questions of a batch are asked."""

    sites: list[str] = Field(default_factory=list)
    """The front pages of the sites to read for rows that name none."""
    graph: str | GraphSpec = "forager"
    """A preset, a saved graph (`name` or `name@3`), or a whole spec; never a file."""
    parameters: dict[str, bool | int | float | str] | None = None
    """Values of the graph's parameters that differ from its defaults."""
    model: str = ""
    """The models, as in `--model`; empty means those of the settings."""
    budget: Budget = Field(default_factory=lambda: Budget.model_validate({"seconds": 600.0}))
    """Limits of each row."""
    at_once: int = 4
    """How many rows are worked on at the same time."""


class StateValue(ApiModel):
    """A key of the state: its value as JSON, and the JSON schema that a new value has to fit."""

    key: str
    value: JsonValue
    expects: dict[str, JsonValue]


class SteerRequest(ApiModel):
    """A change in the middle of a run."""

    hint: str = ""
    """A hint, such as where to look."""
    sites: list[str] = Field(default_factory=list)
    """More sites to read."""
    forbid: list[str] = Field(default_factory=list)
    """Hosts, or addresses and all below them, not to read."""
    budget: Budget | None = None
    """New limits; those that are not named stay."""


class StreamOptions(ApiModel):
    """Options of a stream."""

    include_usage: bool = False
    """Whether the last chunk tells the usage."""


class Table(ApiModel):
    """An answer as a table; each row has one cell for each column."""

    columns: list[str]
    rows: list[list[Cell]]


class TagChange(ApiModel):
    """The tags of a session."""

    tags: list[str]
    """All its tags, in the place of those that it has."""


class TaggedSession(ApiModel):
    """A session with its new tags."""

    session: str
    """Its id."""
    tags: list[str]


class TitleChange(ApiModel):
    """A session's title in lists."""

    title: str
    """The title; an empty one means the question."""


class TokenLine(ApiModel):
    """A token; its value is not kept."""

    id: str
    name: str
    scope: Literal["read", "ask", "edit", "admin"]
    """What it may do: each scope includes those before it (read, ask, edit, admin)."""
    created: float
    used: float | None
    """When it was last used, to the minute; null means never."""
    expires: float | None


class TokenRef(ApiModel):
    """The token that was revoked."""

    id: str


class TrialQuestion(ApiModel):
    """A question of a trial."""

    question: str
    """What to ask."""
    sites: list[str] = Field(default_factory=list)
    """The front pages of the sites to read."""
    answer: list[str] | str | None = None
    """What a right answer contains, alternatives between `|`; without it, it is not graded."""


class TrialRef(ApiModel):
    """The trial that was started or stopped."""

    file: str
    """The name of its file of rows."""


class TrialRequest(ApiModel):
    """Two graphs, and what to ask both."""

    graph: str | GraphSpec
    """A preset, a saved graph (`name` or `name@3`), or a whole spec."""
    other: str | GraphSpec
    """The graph to compare it with."""
    questions: list[TrialQuestion]
    """The questions."""
    model: str = ""
    """The models, as in `--model`; empty means those of the settings."""
    budget: Budget = Field(default_factory=lambda: Budget.model_validate({"seconds": 600.0}))
    """Limits of each run."""
    seed: int = 0
    """The seed of every random draw."""


class TrialStatus(ApiModel):
    """How far a trial has come: how many of its questions were asked, and the results so far."""

    file: str
    going: bool
    asked: int
    of: int
    error: str = ""
    graphs: list[GraphSummary] = Field(default_factory=list)
    apart: dict[str, str] | None = None


class TryNodeRequest(ApiModel):
    """A node to run alone, on the input that it had in a session."""

    graph: str | GraphSpec = ""
    """The graph that has the node now; without one, that of the session."""
    at: int | None = None
    """The event where the recorded run began; without one, the last run of the node."""
    turn: int | None = None
    """The turn of that run; without one, the last."""
    model: str = ""
    """Another model."""


class UrlCitation(ApiModel):
    """Where a mark of the answer leads, and the quote behind it."""

    start_index: int
    """Where the mark begins in the content, in characters."""
    end_index: int
    """Where it ends."""
    url: str
    title: str
    quote: str
    """The words of the page; OpenAI has no such member."""


class Usage(ApiModel):
    """Tokens of the language models behind the answer; none without one."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class Version(ApiModel):
    """A version of a saved graph: `text` as written, `time` in seconds since the epoch.

    `origin` is the reference of the graph that it was copied or restored from, or empty.
    """

    name: str
    number: int
    text: str
    spec: GraphSpec
    hash: str
    note: str
    author: str
    time: float
    origin: str


class VersionLine(ApiModel):
    """A version of a saved graph, without its text."""

    name: str
    number: int
    hash: str
    note: str
    author: str
    time: float
    """When it was saved, in seconds since the epoch."""
    origin: str
    """The graph it was made from."""


class VisitedPage(ApiModel):
    """A page opened while navigating."""

    url: str
    depth: int
    round: int


class ChatChunk(ApiModel):
    """A part of an answer, as the data of a server-sent event; the last data is `[DONE]`."""

    id: str
    """`chatcmpl-`, the session and its turn; the same in all chunks."""
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    """Seconds since the epoch."""
    model: str
    choices: list[ChunkChoice]
    """None in the chunk with the usage."""
    usage: Usage | None = None
    """In a chunk of its own before the end, if `stream_options` asks for it."""


class ChunkChoice(ApiModel):
    """The only choice of a chunk."""

    index: Literal[0] = 0
    delta: ChunkDelta
    finish_reason: Literal["stop"] | None = None


class ChunkDelta(ApiModel):
    """What a chunk adds: a part of the answer, its citations, or a step on the way to it."""

    role: Literal["assistant"] | None = None
    content: str | None = None
    reasoning_content: str | None = None
    """A step of the run; these come before the answer."""
    annotations: list[Annotation] | None = None
    """The citations, after the whole text."""


class SessionView(ApiModel):
    """A session as the web UI shows it; objects by id, so that merge patches stay small."""

    session: dict[str, JsonValue]
    """Id, question, graph, model, status, turn, and what went wrong."""
    answer: dict[str, JsonValue]
    """The text with its citations, a table, doubts, a caveat."""
    citations: dict[str, JsonValue]
    """The cited quotes by their numbers in the answer."""
    evidence: dict[str, JsonValue]
    """The entries of the ledger by their ids."""
    parts: dict[str, JsonValue]
    """The sub-questions, each with its number of quotes."""
    pages: int
    """How many pages of the sites are known."""
    read: int
    """How many of them were read."""
    arms: dict[str, JsonValue]
    """The candidate pages by their rank."""
    actions: dict[str, JsonValue]
    """What was done in a browser, in order."""
    visited: dict[str, JsonValue]
    """The pages that were opened, in order."""
    spend: dict[str, JsonValue]
    """What was used, by kind, with the limits that are set."""
    timeline: dict[str, JsonValue]
    """The run's rows by the number of the event that made them."""
    graph: dict[str, JsonValue]
    """How often each node ran and each edge was taken, what it carried last; the halt."""
    names: dict[str, str]
    """What each node does, in words for a reader, by node."""
    turns: dict[str, JsonValue]
    """The earlier turns by their numbers."""


class StreamEnd(ApiModel):
    """The last event of a session's stream: it no longer runs."""

    session: str
    """Its id."""
    status: Literal[
        "answered",
        "partial",
        "abstained",
        "failed",
        "running",
        "waiting",
        "paused",
        "interrupted",
        "damaged",
    ]
    """Where it stands."""
