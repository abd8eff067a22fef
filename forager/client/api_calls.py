"""The calls of the API.

Made by scripts/generate_client.py from the OpenAPI document; do not edit.
"""

from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal

from forager.client import api_models as models
from forager.client.transport import AsyncTransport, Call, Transport


class Calls(Transport):
    """Every call of the API."""

    def list_sessions(
        self,
        *,
        search: str | None = None,
        status: list[str] | None = None,
        tag: list[str] | None = None,
        page: int | None = None,
        size: int | None = None,
    ) -> models.SessionPage:
        """List sessions.

        A page of the sessions, newest first, without those that the web UI is about to delete.
        """
        call = Call(
            "GET",
            "/api/sessions",
            query={"search": search, "status": status, "tag": tag, "page": page, "size": size},
        )
        answer: models.SessionPage = self.read_json(call, models.SessionPage)
        return answer

    def start_session(self, body: models.NewSession) -> models.SessionRef:
        """Start a session.

        Start a session and run it; the run continues if the client disconnects.
        """
        call = Call("POST", "/api/sessions", body=body)
        answer: models.SessionRef = self.read_json(call, models.SessionRef)
        return answer

    def import_session(self, content: bytes, *, own_nodes: bool | None = None) -> models.SessionRef:
        """Import a session.

        Import a session that was exported as zip. It is checked first, and starts no run.

        It goes on with the model of the settings, and without its approvals and a larger budget.
        """
        call = Call("POST", "/api/sessions/import", content=content, query={"own_nodes": own_nodes})
        answer: models.SessionRef = self.read_json(call, models.SessionRef)
        return answer

    def show_session(self, id: str) -> models.Report:
        """Show a session.

        A session's report so far. Empty members are left out.
        """
        call = Call("GET", "/api/sessions/{}", places=(id,))
        answer: models.Report = self.read_json(call, models.Report)
        return answer

    def rename_session(self, id: str, body: models.TitleChange) -> models.RenamedSession:
        """Rename a session.

        Give a session a title.
        """
        call = Call("PATCH", "/api/sessions/{}", places=(id,), body=body)
        answer: models.RenamedSession = self.read_json(call, models.RenamedSession)
        return answer

    def delete_session(self, id: str, *, forget: bool | None = None) -> models.DeletedSession:
        """Delete a session.

        Delete a session; with `forget` also pages and all else that only it brought here.

        It is deleted at once and cannot be brought back; the web UI waits, so that it can be
        undone.
        """
        call = Call("DELETE", "/api/sessions/{}", places=(id,), query={"forget": forget})
        answer: models.DeletedSession = self.read_json(call, models.DeletedSession)
        return answer

    def tag_session(self, id: str, body: models.TagChange) -> models.TaggedSession:
        """Tag a session.

        Give a session these tags instead of those that it has.
        """
        call = Call("PUT", "/api/sessions/{}/tags", places=(id,), body=body)
        answer: models.TaggedSession = self.read_json(call, models.TaggedSession)
        return answer

    def pin_session(self, id: str) -> models.SessionRef:
        """Pin a session.

        Keep a session from clean-ups, whatever its age.
        """
        call = Call("PUT", "/api/sessions/{}/pin", places=(id,))
        answer: models.SessionRef = self.read_json(call, models.SessionRef)
        return answer

    def unpin_session(self, id: str) -> models.SessionRef:
        """Unpin a session.

        Let clean-ups delete a session that was pinned.
        """
        call = Call("DELETE", "/api/sessions/{}/pin", places=(id,))
        answer: models.SessionRef = self.read_json(call, models.SessionRef)
        return answer

    def share_session(self, id: str) -> models.SharedLink:
        """Share a read-only link.

        A link to the answer with its sources, for which nobody logs in; the one that there is.
        """
        call = Call("PUT", "/api/sessions/{}/share", places=(id,))
        answer: models.SharedLink = self.read_json(call, models.SharedLink)
        return answer

    def end_share(self, id: str) -> models.SessionRef:
        """End a link.

        Let nobody read a session through its link any more.
        """
        call = Call("DELETE", "/api/sessions/{}/share", places=(id,))
        answer: models.SessionRef = self.read_json(call, models.SessionRef)
        return answer

    def list_events(self, id: str, *, after: int | None = None) -> list[models.Event]:
        """List events.

        What the nodes reported, in order.
        """
        call = Call("GET", "/api/sessions/{}/events", places=(id,), query={"after": after})
        answer: list[models.Event] = self.read_json(call, list[models.Event])
        return answer

    def stream_session_events(
        self, id: str, *, after: int | None = None, last_event_id: int | None = None
    ) -> Iterator[models.Event | models.StreamEnd]:
        """Stream events.

        What the nodes report, as it comes, until the session no longer runs.
        """
        call = Call(
            "GET",
            "/api/sessions/{}/events/stream",
            places=(id,),
            query={"after": after},
            headers={"last-event-id": last_event_id},
        )
        return self.read_events(call, {"": models.Event, "end": models.StreamEnd})

    def stream_session(self, id: str) -> Iterator[dict[str, Any]]:
        """Stream a session's view.

        The session's view as it changes.
        """
        call = Call("GET", "/api/sessions/{}/live", places=(id,))
        return self.read_lines(call)

    def follow_up(self, id: str, body: models.FollowUp) -> models.SessionRef:
        """Ask a follow-up.

        Ask the next question of a session that has ended, and run it.
        """
        call = Call("POST", "/api/sessions/{}/follow", places=(id,), body=body)
        answer: models.SessionRef = self.read_json(call, models.SessionRef)
        return answer

    def resume_session(
        self, id: str, body: models.ResumeOptions | None = None
    ) -> models.SessionRef:
        """Resume a session.

        Resume a session, with another model if one is named, up to the next breakpoint.
        """
        call = Call("POST", "/api/sessions/{}/resume", places=(id,), body=body)
        answer: models.SessionRef = self.read_json(call, models.SessionRef)
        return answer

    def pause_session(self, id: str) -> models.SessionRef:
        """Pause a session.

        Pause a running session after its present node.
        """
        call = Call("POST", "/api/sessions/{}/pause", places=(id,))
        answer: models.SessionRef = self.read_json(call, models.SessionRef)
        return answer

    def stop_session(self, id: str) -> models.SessionRef:
        """Stop a session.

        End a session with the best answer so far; a second call ends it at once.

        After the first one a run ends its present step and writes its answer. One that is stopping
        already leaves that unfinished, and keeps what was read, unchecked.
        """
        call = Call("POST", "/api/sessions/{}/stop", places=(id,))
        answer: models.SessionRef = self.read_json(call, models.SessionRef)
        return answer

    def steer_session(self, id: str, body: models.SteerRequest | None = None) -> models.SessionRef:
        """Steer a session.

        Change the course of a session; a running one applies the change after its present step.
        """
        call = Call("POST", "/api/sessions/{}/steer", places=(id,), body=body)
        answer: models.SessionRef = self.read_json(call, models.SessionRef)
        return answer

    def continue_session(
        self, id: str, body: models.ContinueRequest | None = None
    ) -> models.SessionRef:
        """Continue from a checkpoint.

        Go back to a checkpoint and continue from it, or from the end with a raised budget.
        """
        call = Call("POST", "/api/sessions/{}/go-on", places=(id,), body=body)
        answer: models.SessionRef = self.read_json(call, models.SessionRef)
        return answer

    def fork_session(self, id: str, body: models.ForkRequest | None = None) -> models.SessionRef:
        """Fork a session.

        Start a new session from a checkpoint of this one, and run it unless `run` is false.
        """
        call = Call("POST", "/api/sessions/{}/fork", places=(id,), body=body)
        answer: models.SessionRef = self.read_json(call, models.SessionRef)
        return answer

    def preview_move(self, id: str, body: models.MoveRequest | None = None) -> models.GraphMove:
        """Preview a change of graph.

        Where each node that is to run next would continue in another graph, and why not.
        """
        call = Call("POST", "/api/sessions/{}/moving", places=(id,), body=body)
        answer: models.GraphMove = self.read_json(call, models.GraphMove)
        return answer

    def list_requests(self, id: str) -> list[models.ApprovalRow]:
        """List approval requests.

        The requests that wait for an answer.
        """
        call = Call("GET", "/api/sessions/{}/pleas", places=(id,))
        answer: list[models.ApprovalRow] = self.read_json(call, list[models.ApprovalRow])
        return answer

    def answer_request(self, id: str, plea: str, body: models.Decision) -> models.SessionRef:
        """Answer an approval request.

        Approve an action, or refuse it.
        """
        call = Call(
            "POST",
            "/api/sessions/{}/pleas/{}",
            places=(
                id,
                plea,
            ),
            body=body,
        )
        answer: models.SessionRef = self.read_json(call, models.SessionRef)
        return answer

    def export_session(
        self,
        id: str,
        *,
        format: str | None = None,
        parts: list[str] | None = None,
        accept_language: str | None = None,
    ) -> bytes:
        """Export a session.

        The session as a document, whose file is named after its title.
        """
        call = Call(
            "GET",
            "/api/sessions/{}/export",
            places=(id,),
            query={"format": format, "parts": parts},
            headers={"accept-language": accept_language},
        )
        return self.read_bytes(call)

    def list_checkpoints(self, id: str, *, turn: int | None = None) -> list[models.HistoryPoint]:
        """List checkpoints.

        The checkpoints of a turn, oldest first.
        """
        call = Call("GET", "/api/sessions/{}/history", places=(id,), query={"turn": turn})
        answer: list[models.HistoryPoint] = self.read_json(call, list[models.HistoryPoint])
        return answer

    def show_changes(
        self, id: str, checkpoint: str, *, turn: int | None = None
    ) -> list[models.Change]:
        """Show a checkpoint's changes.

        What a checkpoint changed in the state.
        """
        call = Call(
            "GET",
            "/api/sessions/{}/history/{}",
            places=(
                id,
                checkpoint,
            ),
            query={"turn": turn},
        )
        answer: list[models.Change] = self.read_json(call, list[models.Change])
        return answer

    def list_node_runs(self, id: str, *, turn: int | None = None) -> list[models.NodeRun]:
        """List node runs.

        What ran in a turn, in order, with the edges that were taken.
        """
        call = Call("GET", "/api/sessions/{}/way", places=(id,), query={"turn": turn})
        answer: list[models.NodeRun] = self.read_json(call, list[models.NodeRun])
        return answer

    def inspect_node(
        self, id: str, node: str, *, at: int | None = None, turn: int | None = None
    ) -> models.NodeWork:
        """Inspect a node.

        What a node was given and changed in its last run, or in the one that began with `at`.
        """
        call = Call(
            "GET",
            "/api/sessions/{}/nodes/{}",
            places=(
                id,
                node,
            ),
            query={"at": at, "turn": turn},
        )
        answer: models.NodeWork = self.read_json(call, models.NodeWork)
        return answer

    def try_node(
        self, id: str, node: str, body: models.TryNodeRequest | None = None
    ) -> models.NodeTrial:
        """Run a node alone.

        Run a node of a graph on the input that it had in this session, which stays as it is.

        Nothing that needs approval is done.
        """
        call = Call(
            "POST",
            "/api/sessions/{}/try/{}",
            places=(
                id,
                node,
            ),
            body=body,
        )
        answer: models.NodeTrial = self.read_json(call, models.NodeTrial)
        return answer

    def show_state(
        self, id: str, *, checkpoint: int | None = None, turn: int | None = None
    ) -> list[models.StateValue]:
        """Show the state.

        The values of the state that a fork may change by hand, each with its JSON schema.
        """
        call = Call(
            "GET",
            "/api/sessions/{}/state",
            places=(id,),
            query={"checkpoint": checkpoint, "turn": turn},
        )
        answer: list[models.StateValue] = self.read_json(call, list[models.StateValue])
        return answer

    def show_site_maps(self, id: str) -> list[models.SiteMapPicture]:
        """Show the site maps.

        The pages of each site, with their places in a picture.
        """
        call = Call("GET", "/api/sessions/{}/map", places=(id,))
        answer: list[models.SiteMapPicture] = self.read_json(call, list[models.SiteMapPicture])
        return answer

    def show_spending(self, id: str) -> models.SpendingHistory:
        """Show the spending.

        What was spent, checkpoint by checkpoint.
        """
        call = Call("GET", "/api/sessions/{}/spending", places=(id,))
        answer: models.SpendingHistory = self.read_json(call, models.SpendingHistory)
        return answer

    def show_screenshot(self, id: str) -> models.ScreenshotAnswer:
        """Show the last screenshot.

        The last picture of the page in the browser; an empty object if there is none.
        """
        call = Call("GET", "/api/sessions/{}/screenshot", places=(id,))
        answer: models.ScreenshotAnswer = self.read_json(call, models.ScreenshotAnswer)
        return answer

    def list_draws(self, id: str) -> list[models.RoundDraw]:
        """List draws.

        Every draw of the bandit in the present turn.
        """
        call = Call("GET", "/api/sessions/{}/draws", places=(id,))
        answer: list[models.RoundDraw] = self.read_json(call, list[models.RoundDraw])
        return answer

    def show_quote(self, id: str, quote: str) -> models.QuoteContext:
        """Show a quote in its page.

        A quote of the ledger with the words around it.
        """
        call = Call(
            "GET",
            "/api/sessions/{}/quotes/{}",
            places=(
                id,
                quote,
            ),
        )
        answer: models.QuoteContext = self.read_json(call, models.QuoteContext)
        return answer

    def list_batches(self) -> list[models.BatchStatus]:
        """List batches.

        All batches, newest first.
        """
        call = Call("GET", "/api/batches")
        answer: list[models.BatchStatus] = self.read_json(call, list[models.BatchStatus])
        return answer

    def add_batch(self, content: bytes, *, file: str | None = None) -> models.BatchStatus:
        """Upload questions.

        Read and keep a file of questions. Nothing is asked before the batch is started.
        """
        call = Call("POST", "/api/batches", content=content, query={"file": file})
        answer: models.BatchStatus = self.read_json(call, models.BatchStatus)
        return answer

    def show_batch(self, id: str) -> models.BatchStatus:
        """Show a batch.

        How far it has come, what it cost, and an estimate of the rest.
        """
        call = Call("GET", "/api/batches/{}", places=(id,))
        answer: models.BatchStatus = self.read_json(call, models.BatchStatus)
        return answer

    def delete_batch(self, id: str, *, sessions: bool | None = None) -> models.BatchRef:
        """Delete a batch.

        Delete its questions and answers. The sessions of its rows are deleted in the background.
        """
        call = Call("DELETE", "/api/batches/{}", places=(id,), query={"sessions": sessions})
        answer: models.BatchRef = self.read_json(call, models.BatchRef)
        return answer

    def start_batch(self, id: str, body: models.StartBatch | None = None) -> models.BatchRef:
        """Start a batch.

        Answer its rows, each in a session of its own; a restarted server goes on by itself.
        """
        call = Call("POST", "/api/batches/{}/start", places=(id,), body=body)
        answer: models.BatchRef = self.read_json(call, models.BatchRef)
        return answer

    def resume_batch(self, id: str, body: models.ResumeBatch | None = None) -> models.BatchRef:
        """Resume a batch.

        Answer the rows that have no answer; those under way are resumed in their sessions.
        """
        call = Call("POST", "/api/batches/{}/resume", places=(id,), body=body)
        answer: models.BatchRef = self.read_json(call, models.BatchRef)
        return answer

    def pause_batch(self, id: str) -> models.BatchRef:
        """Pause a batch.

        Take no new row, and pause those under way after their present step.
        """
        call = Call("POST", "/api/batches/{}/pause", places=(id,))
        answer: models.BatchRef = self.read_json(call, models.BatchRef)
        return answer

    def stop_batch(self, id: str) -> models.BatchRef:
        """Stop a batch.

        Take no new row, and end those under way with their best answers so far.
        """
        call = Call("POST", "/api/batches/{}/stop", places=(id,))
        answer: models.BatchRef = self.read_json(call, models.BatchRef)
        return answer

    def list_batch_rows(
        self,
        id: str,
        *,
        status: str | None = None,
        search: str | None = None,
        page: int | None = None,
        size: int | None = None,
    ) -> models.BatchRowPage:
        """List the rows of a batch.

        The rows in the order of the file, each with its outcome and its session.
        """
        call = Call(
            "GET",
            "/api/batches/{}/rows",
            places=(id,),
            query={"status": status, "search": search, "page": page, "size": size},
        )
        answer: models.BatchRowPage = self.read_json(call, models.BatchRowPage)
        return answer

    def download_answers(self, id: str, *, format: Literal["jsonl", "csv"] | None = None) -> bytes:
        """Download the answers.

        The answers so far, in the order in which they were found.
        """
        call = Call("GET", "/api/batches/{}/answers", places=(id,), query={"format": format})
        return self.read_bytes(call)

    def start_trial(self, body: models.TrialRequest) -> models.TrialRef:
        """Start a trial.

        Ask two graphs the same questions; the second reads the pages that the first has fetched.
        """
        call = Call("POST", "/api/graphs/try", body=body)
        answer: models.TrialRef = self.read_json(call, models.TrialRef)
        return answer

    def show_trial(self, file: str, *, wait: int | None = None) -> models.TrialStatus:
        """Show a trial.

        How far a trial has come, with the two graphs side by side.
        """
        call = Call("GET", "/api/graphs/try/{}", places=(file,), query={"wait": wait})
        answer: models.TrialStatus = self.read_json(call, models.TrialStatus)
        return answer

    def stop_trial(self, file: str) -> models.TrialRef:
        """Stop a trial.

        End a trial after its present question.
        """
        call = Call("DELETE", "/api/graphs/try/{}", places=(file,))
        answer: models.TrialRef = self.read_json(call, models.TrialRef)
        return answer

    def list_graphs(
        self,
    ) -> list[models.PresetSummary | models.SavedSummary | models.DamagedSummary]:
        """List graphs.

        The presets, then the saved graphs in their newest version, then those that are damaged.
        """
        call = Call("GET", "/api/graphs")
        answer: list[models.PresetSummary | models.SavedSummary | models.DamagedSummary] = (
            self.read_json(
                call, list[models.PresetSummary | models.SavedSummary | models.DamagedSummary]
            )
        )
        return answer

    def check_graph(self, body: models.GraphRequest) -> list[models.Finding]:
        """Check a graph.

        The checker's findings; without an error among them, the graph can be run.
        """
        call = Call("POST", "/api/graphs/check", body=body)
        answer: list[models.Finding] = self.read_json(call, list[models.Finding])
        return answer

    def draw_graph(self, body: models.GraphRequest) -> str:
        """Draw a graph.

        The graph as a Mermaid flowchart.
        """
        call = Call("POST", "/api/graphs/draw", body=body)
        return self.read_text(call)

    def diff_graphs(self, body: models.DiffRequest) -> list[models.Difference]:
        """Compare graphs.

        What differs from one graph to another.
        """
        call = Call("POST", "/api/graphs/diff", body=body)
        answer: list[models.Difference] = self.read_json(call, list[models.Difference])
        return answer

    def import_graph(
        self, content: bytes, *, name: str | None = None, note: str | None = None
    ) -> models.Version:
        """Import a graph.

        Save a graph from YAML or JSON as a new one.
        """
        call = Call(
            "POST", "/api/graphs/import", content=content, query={"name": name, "note": note}
        )
        answer: models.Version = self.read_json(call, models.Version)
        return answer

    def show_graph(
        self, name: str, *, version: int | None = None
    ) -> models.Version | models.PresetGraph:
        """Show a graph.

        A graph's text and spec; of a saved graph, those of a version.
        """
        call = Call("GET", "/api/graphs/{}", places=(name,), query={"version": version})
        answer: models.Version | models.PresetGraph = self.read_json(
            call, models.Version | models.PresetGraph
        )
        return answer

    def save_version(self, name: str, body: models.NewVersion | None = None) -> models.Version:
        """Save a version.

        Save a new version on top of `base`; 409 if there is a newer one.
        """
        call = Call("PUT", "/api/graphs/{}", places=(name,), body=body)
        answer: models.Version = self.read_json(call, models.Version)
        return answer

    def rename_graph(self, name: str, body: models.NameChange) -> models.Version:
        """Rename a graph.

        Rename a saved graph with all its versions.
        """
        call = Call("PATCH", "/api/graphs/{}", places=(name,), body=body)
        answer: models.Version = self.read_json(call, models.Version)
        return answer

    def delete_graph(self, name: str) -> models.GraphRef:
        """Delete a graph.

        Delete a saved graph with all its versions; sessions keep theirs.
        """
        call = Call("DELETE", "/api/graphs/{}", places=(name,))
        answer: models.GraphRef = self.read_json(call, models.GraphRef)
        return answer

    def copy_graph(self, name: str, body: models.CopyRequest) -> models.Version:
        """Copy a graph.

        Make a new graph from a preset, a saved graph or a version of one.
        """
        call = Call("POST", "/api/graphs/{}/copy", places=(name,), body=body)
        answer: models.Version = self.read_json(call, models.Version)
        return answer

    def list_versions(self, name: str) -> list[models.VersionLine]:
        """List versions.

        The versions of a saved graph, newest first, without their texts.
        """
        call = Call("GET", "/api/graphs/{}/versions", places=(name,))
        answer: list[models.VersionLine] = self.read_json(call, list[models.VersionLine])
        return answer

    def restore_version(self, name: str, body: models.RestoreRequest) -> models.Version:
        """Restore a version.

        Make an earlier version the newest one.
        """
        call = Call("POST", "/api/graphs/{}/restore", places=(name,), body=body)
        answer: models.Version = self.read_json(call, models.Version)
        return answer

    def export_graph(self, name: str, *, version: int | None = None) -> str:
        """Export a graph.

        The YAML as it was written.
        """
        call = Call("GET", "/api/graphs/{}/export", places=(name,), query={"version": version})
        return self.read_text(call)

    def check_health(self) -> models.Health:
        """Check the server.

        Whether the server is there; with a token, also how many of one's sessions run in it.
        """
        call = Call("GET", "/api/health")
        answer: models.Health = self.read_json(call, models.Health)
        return answer

    def show_metrics(self) -> str:
        """Show the metrics.

        Sessions by status, runs, fetches, model calls, tokens, dollars and errors.

        Counters begin with the server; those of spending grow when a run ends. Sessions are those
        of the spaces of accounts that are in use.
        """
        call = Call("GET", "/api/metrics")
        return self.read_text(call)

    def list_memory(
        self, *, search: str | None = None, site: str | None = None
    ) -> list[models.MemoryItem]:
        """List the memory.

        What was learned from earlier sessions, newest first.
        """
        call = Call("GET", "/api/memory", query={"search": search, "site": site})
        answer: list[models.MemoryItem] = self.read_json(call, list[models.MemoryItem])
        return answer

    def forget_items(self, body: models.ForgetRequest | None = None) -> models.ForgottenItems:
        """Forget.

        Forget for good.
        """
        call = Call("POST", "/api/memory/forget", body=body)
        answer: models.ForgottenItems = self.read_json(call, models.ForgottenItems)
        return answer

    def list_recipes(self) -> list[models.RecipeLine]:
        """List recipes.

        The paths that are tried first when a question is asked again.
        """
        call = Call("GET", "/api/recipes")
        answer: list[models.RecipeLine] = self.read_json(call, list[models.RecipeLine])
        return answer

    def delete_recipe(self, number: int) -> models.RecipeRef:
        """Delete a recipe.

        Delete a recipe; the next time, its question starts from scratch.
        """
        call = Call("DELETE", "/api/recipes/{}", places=(number,))
        answer: models.RecipeRef = self.read_json(call, models.RecipeRef)
        return answer

    def search_pages(
        self,
        *,
        query: str | None = None,
        site: str | None = None,
        count: int | None = None,
        provider: list[str] | None = None,
    ) -> models.SearchResults:
        """Search.

        Search the web, or the pages that were crawled of a site.
        """
        call = Call(
            "GET",
            "/api/search",
            query={"query": query, "site": site, "count": count, "provider": provider},
        )
        answer: models.SearchResults = self.read_json(call, models.SearchResults)
        return answer

    def measure_cache(self) -> models.PageCacheSize:
        """Measure the cache.

        How much the page cache holds.
        """
        call = Call("GET", "/api/cache")
        answer: models.PageCacheSize = self.read_json(call, models.PageCacheSize)
        return answer

    def delete_cache(self) -> models.PageCacheSize:
        """Delete the cache.

        Delete the page cache; returns how much it held.
        """
        call = Call("DELETE", "/api/cache")
        answer: models.PageCacheSize = self.read_json(call, models.PageCacheSize)
        return answer

    def examine_machine(self) -> list[models.Check]:
        """Examine the machine.

        What was found on this machine and what is missing.
        """
        call = Call("GET", "/api/doctor")
        answer: list[models.Check] = self.read_json(call, list[models.Check])
        return answer

    def list_models(self) -> models.ChatModels:
        """List models.

        Every graph as a model: the presets, then the saved graphs.
        """
        call = Call("GET", "/v1/models")
        answer: models.ChatModels = self.read_json(call, models.ChatModels)
        return answer

    def show_model(self, model: str) -> models.ChatModel:
        """Show a model.

        A graph as a model.
        """
        call = Call("GET", "/v1/models/{}", places=(model,))
        answer: models.ChatModel = self.read_json(call, models.ChatModel)
        return answer

    def complete_chat(self, body: models.ChatRequest) -> models.ChatCompletion:
        """Complete a chat.

        Answer the last message of a conversation, whose earlier answers were given here.

        The first question starts a session, further ones are follow-ups of it. If the client goes
        away before the end, the session is paused.
        """
        call = Call("POST", "/v1/chat/completions", body=body)
        answer: models.ChatCompletion = self.read_json(call, models.ChatCompletion)
        return answer

    def list_accounts(self) -> list[models.AccountLine]:
        """List accounts.

        All accounts with their limits, and what each has spent this month.
        """
        call = Call("GET", "/api/accounts")
        answer: list[models.AccountLine] = self.read_json(call, list[models.AccountLine])
        return answer

    def add_account(self, body: models.NewAccount) -> models.AccountLine:
        """Add an account.

        Add an account with a space of its own.
        """
        call = Call("POST", "/api/accounts", body=body)
        answer: models.AccountLine = self.read_json(call, models.AccountLine)
        return answer

    def change_account(
        self, name: str, body: models.AccountChange | None = None
    ) -> models.AccountLine:
        """Change an account.

        Change role, password and limits of an account, or disable it; that counts at once.
        """
        call = Call("PATCH", "/api/accounts/{}", places=(name,), body=body)
        answer: models.AccountLine = self.read_json(call, models.AccountLine)
        return answer

    def remove_account(self, name: str) -> models.AccountRef:
        """Remove an account.

        Remove an account with all that it has stored, for good.
        """
        call = Call("DELETE", "/api/accounts/{}", places=(name,))
        answer: models.AccountRef = self.read_json(call, models.AccountRef)
        return answer

    def show_own_account(self) -> models.AccountLine:
        """Show one's own account.

        The account of whoever asks.
        """
        call = Call("GET", "/api/account")
        answer: models.AccountLine = self.read_json(call, models.AccountLine)
        return answer

    def change_own_password(self, body: models.PasswordChange) -> models.AccountRef:
        """Change one's own password.

        Change the password, which ends all logins of the account; its tokens stay.
        """
        call = Call("PUT", "/api/account/password", body=body)
        answer: models.AccountRef = self.read_json(call, models.AccountRef)
        return answer

    def list_tokens(self) -> list[models.TokenLine]:
        """List tokens.

        One's own tokens, without their values.
        """
        call = Call("GET", "/api/tokens")
        answer: list[models.TokenLine] = self.read_json(call, list[models.TokenLine])
        return answer

    def create_token(self, body: models.NewToken) -> models.MadeToken:
        """Create a token.

        A token for programs, which may do no more than its account. A token makes no other one.
        """
        call = Call("POST", "/api/tokens", body=body)
        answer: models.MadeToken = self.read_json(call, models.MadeToken)
        return answer

    def revoke_token(self, id: str) -> models.TokenRef:
        """Revoke a token.

        End one of one's own tokens. A token ends itself alone.
        """
        call = Call("DELETE", "/api/tokens/{}", places=(id,))
        answer: models.TokenRef = self.read_json(call, models.TokenRef)
        return answer

    def list_shares(self) -> models.ShareList:
        """List shares.

        What one shares with other accounts, and what one was given.
        """
        call = Call("GET", "/api/shares")
        answer: models.ShareList = self.read_json(call, models.ShareList)
        return answer

    def share_with_account(self, body: models.NewShare) -> models.ShareLine:
        """Share.

        Share a session or a graph with an account, or with everyone who has one.
        """
        call = Call("POST", "/api/shares", body=body)
        answer: models.ShareLine = self.read_json(call, models.ShareLine)
        return answer

    def end_account_share(self, id: str) -> models.ShareRef:
        """End a share.

        Share something with nobody of this share any more.
        """
        call = Call("DELETE", "/api/shares/{}", places=(id,))
        answer: models.ShareRef = self.read_json(call, models.ShareRef)
        return answer

    def show_shared_session(self, id: str) -> models.Report:
        """Show a shared session.

        The report of a session that one was given. Empty members are left out.
        """
        call = Call("GET", "/api/shares/{}/session", places=(id,))
        answer: models.Report = self.read_json(call, models.Report)
        return answer

    def show_shared_graph(self, id: str) -> models.Version:
        """Show a shared graph.

        The newest version of a graph that one was given.
        """
        call = Call("GET", "/api/shares/{}/graph", places=(id,))
        answer: models.Version = self.read_json(call, models.Version)
        return answer

    def copy_shared_graph(self, id: str, body: models.SharedCopy) -> models.Version:
        """Copy a shared graph.

        Copy a graph that one was given into one's own saved graphs.
        """
        call = Call("POST", "/api/shares/{}/copy", places=(id,), body=body)
        answer: models.Version = self.read_json(call, models.Version)
        return answer


class AsyncCalls(AsyncTransport):
    """Every call of the API, to be awaited."""

    async def list_sessions(
        self,
        *,
        search: str | None = None,
        status: list[str] | None = None,
        tag: list[str] | None = None,
        page: int | None = None,
        size: int | None = None,
    ) -> models.SessionPage:
        """List sessions.

        A page of the sessions, newest first, without those that the web UI is about to delete.
        """
        call = Call(
            "GET",
            "/api/sessions",
            query={"search": search, "status": status, "tag": tag, "page": page, "size": size},
        )
        answer: models.SessionPage = await self.read_json(call, models.SessionPage)
        return answer

    async def start_session(self, body: models.NewSession) -> models.SessionRef:
        """Start a session.

        Start a session and run it; the run continues if the client disconnects.
        """
        call = Call("POST", "/api/sessions", body=body)
        answer: models.SessionRef = await self.read_json(call, models.SessionRef)
        return answer

    async def import_session(
        self, content: bytes, *, own_nodes: bool | None = None
    ) -> models.SessionRef:
        """Import a session.

        Import a session that was exported as zip. It is checked first, and starts no run.

        It goes on with the model of the settings, and without its approvals and a larger budget.
        """
        call = Call("POST", "/api/sessions/import", content=content, query={"own_nodes": own_nodes})
        answer: models.SessionRef = await self.read_json(call, models.SessionRef)
        return answer

    async def show_session(self, id: str) -> models.Report:
        """Show a session.

        A session's report so far. Empty members are left out.
        """
        call = Call("GET", "/api/sessions/{}", places=(id,))
        answer: models.Report = await self.read_json(call, models.Report)
        return answer

    async def rename_session(self, id: str, body: models.TitleChange) -> models.RenamedSession:
        """Rename a session.

        Give a session a title.
        """
        call = Call("PATCH", "/api/sessions/{}", places=(id,), body=body)
        answer: models.RenamedSession = await self.read_json(call, models.RenamedSession)
        return answer

    async def delete_session(self, id: str, *, forget: bool | None = None) -> models.DeletedSession:
        """Delete a session.

        Delete a session; with `forget` also pages and all else that only it brought here.

        It is deleted at once and cannot be brought back; the web UI waits, so that it can be
        undone.
        """
        call = Call("DELETE", "/api/sessions/{}", places=(id,), query={"forget": forget})
        answer: models.DeletedSession = await self.read_json(call, models.DeletedSession)
        return answer

    async def tag_session(self, id: str, body: models.TagChange) -> models.TaggedSession:
        """Tag a session.

        Give a session these tags instead of those that it has.
        """
        call = Call("PUT", "/api/sessions/{}/tags", places=(id,), body=body)
        answer: models.TaggedSession = await self.read_json(call, models.TaggedSession)
        return answer

    async def pin_session(self, id: str) -> models.SessionRef:
        """Pin a session.

        Keep a session from clean-ups, whatever its age.
        """
        call = Call("PUT", "/api/sessions/{}/pin", places=(id,))
        answer: models.SessionRef = await self.read_json(call, models.SessionRef)
        return answer

    async def unpin_session(self, id: str) -> models.SessionRef:
        """Unpin a session.

        Let clean-ups delete a session that was pinned.
        """
        call = Call("DELETE", "/api/sessions/{}/pin", places=(id,))
        answer: models.SessionRef = await self.read_json(call, models.SessionRef)
        return answer

    async def share_session(self, id: str) -> models.SharedLink:
        """Share a read-only link.

        A link to the answer with its sources, for which nobody logs in; the one that there is.
        """
        call = Call("PUT", "/api/sessions/{}/share", places=(id,))
        answer: models.SharedLink = await self.read_json(call, models.SharedLink)
        return answer

    async def end_share(self, id: str) -> models.SessionRef:
        """End a link.

        Let nobody read a session through its link any more.
        """
        call = Call("DELETE", "/api/sessions/{}/share", places=(id,))
        answer: models.SessionRef = await self.read_json(call, models.SessionRef)
        return answer

    async def list_events(self, id: str, *, after: int | None = None) -> list[models.Event]:
        """List events.

        What the nodes reported, in order.
        """
        call = Call("GET", "/api/sessions/{}/events", places=(id,), query={"after": after})
        answer: list[models.Event] = await self.read_json(call, list[models.Event])
        return answer

    def stream_session_events(
        self, id: str, *, after: int | None = None, last_event_id: int | None = None
    ) -> AsyncIterator[models.Event | models.StreamEnd]:
        """Stream events.

        What the nodes report, as it comes, until the session no longer runs.
        """
        call = Call(
            "GET",
            "/api/sessions/{}/events/stream",
            places=(id,),
            query={"after": after},
            headers={"last-event-id": last_event_id},
        )
        return self.read_events(call, {"": models.Event, "end": models.StreamEnd})

    def stream_session(self, id: str) -> AsyncIterator[dict[str, Any]]:
        """Stream a session's view.

        The session's view as it changes.
        """
        call = Call("GET", "/api/sessions/{}/live", places=(id,))
        return self.read_lines(call)

    async def follow_up(self, id: str, body: models.FollowUp) -> models.SessionRef:
        """Ask a follow-up.

        Ask the next question of a session that has ended, and run it.
        """
        call = Call("POST", "/api/sessions/{}/follow", places=(id,), body=body)
        answer: models.SessionRef = await self.read_json(call, models.SessionRef)
        return answer

    async def resume_session(
        self, id: str, body: models.ResumeOptions | None = None
    ) -> models.SessionRef:
        """Resume a session.

        Resume a session, with another model if one is named, up to the next breakpoint.
        """
        call = Call("POST", "/api/sessions/{}/resume", places=(id,), body=body)
        answer: models.SessionRef = await self.read_json(call, models.SessionRef)
        return answer

    async def pause_session(self, id: str) -> models.SessionRef:
        """Pause a session.

        Pause a running session after its present node.
        """
        call = Call("POST", "/api/sessions/{}/pause", places=(id,))
        answer: models.SessionRef = await self.read_json(call, models.SessionRef)
        return answer

    async def stop_session(self, id: str) -> models.SessionRef:
        """Stop a session.

        End a session with the best answer so far; a second call ends it at once.

        After the first one a run ends its present step and writes its answer. One that is stopping
        already leaves that unfinished, and keeps what was read, unchecked.
        """
        call = Call("POST", "/api/sessions/{}/stop", places=(id,))
        answer: models.SessionRef = await self.read_json(call, models.SessionRef)
        return answer

    async def steer_session(
        self, id: str, body: models.SteerRequest | None = None
    ) -> models.SessionRef:
        """Steer a session.

        Change the course of a session; a running one applies the change after its present step.
        """
        call = Call("POST", "/api/sessions/{}/steer", places=(id,), body=body)
        answer: models.SessionRef = await self.read_json(call, models.SessionRef)
        return answer

    async def continue_session(
        self, id: str, body: models.ContinueRequest | None = None
    ) -> models.SessionRef:
        """Continue from a checkpoint.

        Go back to a checkpoint and continue from it, or from the end with a raised budget.
        """
        call = Call("POST", "/api/sessions/{}/go-on", places=(id,), body=body)
        answer: models.SessionRef = await self.read_json(call, models.SessionRef)
        return answer

    async def fork_session(
        self, id: str, body: models.ForkRequest | None = None
    ) -> models.SessionRef:
        """Fork a session.

        Start a new session from a checkpoint of this one, and run it unless `run` is false.
        """
        call = Call("POST", "/api/sessions/{}/fork", places=(id,), body=body)
        answer: models.SessionRef = await self.read_json(call, models.SessionRef)
        return answer

    async def preview_move(
        self, id: str, body: models.MoveRequest | None = None
    ) -> models.GraphMove:
        """Preview a change of graph.

        Where each node that is to run next would continue in another graph, and why not.
        """
        call = Call("POST", "/api/sessions/{}/moving", places=(id,), body=body)
        answer: models.GraphMove = await self.read_json(call, models.GraphMove)
        return answer

    async def list_requests(self, id: str) -> list[models.ApprovalRow]:
        """List approval requests.

        The requests that wait for an answer.
        """
        call = Call("GET", "/api/sessions/{}/pleas", places=(id,))
        answer: list[models.ApprovalRow] = await self.read_json(call, list[models.ApprovalRow])
        return answer

    async def answer_request(self, id: str, plea: str, body: models.Decision) -> models.SessionRef:
        """Answer an approval request.

        Approve an action, or refuse it.
        """
        call = Call(
            "POST",
            "/api/sessions/{}/pleas/{}",
            places=(
                id,
                plea,
            ),
            body=body,
        )
        answer: models.SessionRef = await self.read_json(call, models.SessionRef)
        return answer

    async def export_session(
        self,
        id: str,
        *,
        format: str | None = None,
        parts: list[str] | None = None,
        accept_language: str | None = None,
    ) -> bytes:
        """Export a session.

        The session as a document, whose file is named after its title.
        """
        call = Call(
            "GET",
            "/api/sessions/{}/export",
            places=(id,),
            query={"format": format, "parts": parts},
            headers={"accept-language": accept_language},
        )
        return await self.read_bytes(call)

    async def list_checkpoints(
        self, id: str, *, turn: int | None = None
    ) -> list[models.HistoryPoint]:
        """List checkpoints.

        The checkpoints of a turn, oldest first.
        """
        call = Call("GET", "/api/sessions/{}/history", places=(id,), query={"turn": turn})
        answer: list[models.HistoryPoint] = await self.read_json(call, list[models.HistoryPoint])
        return answer

    async def show_changes(
        self, id: str, checkpoint: str, *, turn: int | None = None
    ) -> list[models.Change]:
        """Show a checkpoint's changes.

        What a checkpoint changed in the state.
        """
        call = Call(
            "GET",
            "/api/sessions/{}/history/{}",
            places=(
                id,
                checkpoint,
            ),
            query={"turn": turn},
        )
        answer: list[models.Change] = await self.read_json(call, list[models.Change])
        return answer

    async def list_node_runs(self, id: str, *, turn: int | None = None) -> list[models.NodeRun]:
        """List node runs.

        What ran in a turn, in order, with the edges that were taken.
        """
        call = Call("GET", "/api/sessions/{}/way", places=(id,), query={"turn": turn})
        answer: list[models.NodeRun] = await self.read_json(call, list[models.NodeRun])
        return answer

    async def inspect_node(
        self, id: str, node: str, *, at: int | None = None, turn: int | None = None
    ) -> models.NodeWork:
        """Inspect a node.

        What a node was given and changed in its last run, or in the one that began with `at`.
        """
        call = Call(
            "GET",
            "/api/sessions/{}/nodes/{}",
            places=(
                id,
                node,
            ),
            query={"at": at, "turn": turn},
        )
        answer: models.NodeWork = await self.read_json(call, models.NodeWork)
        return answer

    async def try_node(
        self, id: str, node: str, body: models.TryNodeRequest | None = None
    ) -> models.NodeTrial:
        """Run a node alone.

        Run a node of a graph on the input that it had in this session, which stays as it is.

        Nothing that needs approval is done.
        """
        call = Call(
            "POST",
            "/api/sessions/{}/try/{}",
            places=(
                id,
                node,
            ),
            body=body,
        )
        answer: models.NodeTrial = await self.read_json(call, models.NodeTrial)
        return answer

    async def show_state(
        self, id: str, *, checkpoint: int | None = None, turn: int | None = None
    ) -> list[models.StateValue]:
        """Show the state.

        The values of the state that a fork may change by hand, each with its JSON schema.
        """
        call = Call(
            "GET",
            "/api/sessions/{}/state",
            places=(id,),
            query={"checkpoint": checkpoint, "turn": turn},
        )
        answer: list[models.StateValue] = await self.read_json(call, list[models.StateValue])
        return answer

    async def show_site_maps(self, id: str) -> list[models.SiteMapPicture]:
        """Show the site maps.

        The pages of each site, with their places in a picture.
        """
        call = Call("GET", "/api/sessions/{}/map", places=(id,))
        answer: list[models.SiteMapPicture] = await self.read_json(
            call, list[models.SiteMapPicture]
        )
        return answer

    async def show_spending(self, id: str) -> models.SpendingHistory:
        """Show the spending.

        What was spent, checkpoint by checkpoint.
        """
        call = Call("GET", "/api/sessions/{}/spending", places=(id,))
        answer: models.SpendingHistory = await self.read_json(call, models.SpendingHistory)
        return answer

    async def show_screenshot(self, id: str) -> models.ScreenshotAnswer:
        """Show the last screenshot.

        The last picture of the page in the browser; an empty object if there is none.
        """
        call = Call("GET", "/api/sessions/{}/screenshot", places=(id,))
        answer: models.ScreenshotAnswer = await self.read_json(call, models.ScreenshotAnswer)
        return answer

    async def list_draws(self, id: str) -> list[models.RoundDraw]:
        """List draws.

        Every draw of the bandit in the present turn.
        """
        call = Call("GET", "/api/sessions/{}/draws", places=(id,))
        answer: list[models.RoundDraw] = await self.read_json(call, list[models.RoundDraw])
        return answer

    async def show_quote(self, id: str, quote: str) -> models.QuoteContext:
        """Show a quote in its page.

        A quote of the ledger with the words around it.
        """
        call = Call(
            "GET",
            "/api/sessions/{}/quotes/{}",
            places=(
                id,
                quote,
            ),
        )
        answer: models.QuoteContext = await self.read_json(call, models.QuoteContext)
        return answer

    async def list_batches(self) -> list[models.BatchStatus]:
        """List batches.

        All batches, newest first.
        """
        call = Call("GET", "/api/batches")
        answer: list[models.BatchStatus] = await self.read_json(call, list[models.BatchStatus])
        return answer

    async def add_batch(self, content: bytes, *, file: str | None = None) -> models.BatchStatus:
        """Upload questions.

        Read and keep a file of questions. Nothing is asked before the batch is started.
        """
        call = Call("POST", "/api/batches", content=content, query={"file": file})
        answer: models.BatchStatus = await self.read_json(call, models.BatchStatus)
        return answer

    async def show_batch(self, id: str) -> models.BatchStatus:
        """Show a batch.

        How far it has come, what it cost, and an estimate of the rest.
        """
        call = Call("GET", "/api/batches/{}", places=(id,))
        answer: models.BatchStatus = await self.read_json(call, models.BatchStatus)
        return answer

    async def delete_batch(self, id: str, *, sessions: bool | None = None) -> models.BatchRef:
        """Delete a batch.

        Delete its questions and answers. The sessions of its rows are deleted in the background.
        """
        call = Call("DELETE", "/api/batches/{}", places=(id,), query={"sessions": sessions})
        answer: models.BatchRef = await self.read_json(call, models.BatchRef)
        return answer

    async def start_batch(self, id: str, body: models.StartBatch | None = None) -> models.BatchRef:
        """Start a batch.

        Answer its rows, each in a session of its own; a restarted server goes on by itself.
        """
        call = Call("POST", "/api/batches/{}/start", places=(id,), body=body)
        answer: models.BatchRef = await self.read_json(call, models.BatchRef)
        return answer

    async def resume_batch(
        self, id: str, body: models.ResumeBatch | None = None
    ) -> models.BatchRef:
        """Resume a batch.

        Answer the rows that have no answer; those under way are resumed in their sessions.
        """
        call = Call("POST", "/api/batches/{}/resume", places=(id,), body=body)
        answer: models.BatchRef = await self.read_json(call, models.BatchRef)
        return answer

    async def pause_batch(self, id: str) -> models.BatchRef:
        """Pause a batch.

        Take no new row, and pause those under way after their present step.
        """
        call = Call("POST", "/api/batches/{}/pause", places=(id,))
        answer: models.BatchRef = await self.read_json(call, models.BatchRef)
        return answer

    async def stop_batch(self, id: str) -> models.BatchRef:
        """Stop a batch.

        Take no new row, and end those under way with their best answers so far.
        """
        call = Call("POST", "/api/batches/{}/stop", places=(id,))
        answer: models.BatchRef = await self.read_json(call, models.BatchRef)
        return answer

    async def list_batch_rows(
        self,
        id: str,
        *,
        status: str | None = None,
        search: str | None = None,
        page: int | None = None,
        size: int | None = None,
    ) -> models.BatchRowPage:
        """List the rows of a batch.

        The rows in the order of the file, each with its outcome and its session.
        """
        call = Call(
            "GET",
            "/api/batches/{}/rows",
            places=(id,),
            query={"status": status, "search": search, "page": page, "size": size},
        )
        answer: models.BatchRowPage = await self.read_json(call, models.BatchRowPage)
        return answer

    async def download_answers(
        self, id: str, *, format: Literal["jsonl", "csv"] | None = None
    ) -> bytes:
        """Download the answers.

        The answers so far, in the order in which they were found.
        """
        call = Call("GET", "/api/batches/{}/answers", places=(id,), query={"format": format})
        return await self.read_bytes(call)

    async def start_trial(self, body: models.TrialRequest) -> models.TrialRef:
        """Start a trial.

        Ask two graphs the same questions; the second reads the pages that the first has fetched.
        """
        call = Call("POST", "/api/graphs/try", body=body)
        answer: models.TrialRef = await self.read_json(call, models.TrialRef)
        return answer

    async def show_trial(self, file: str, *, wait: int | None = None) -> models.TrialStatus:
        """Show a trial.

        How far a trial has come, with the two graphs side by side.
        """
        call = Call("GET", "/api/graphs/try/{}", places=(file,), query={"wait": wait})
        answer: models.TrialStatus = await self.read_json(call, models.TrialStatus)
        return answer

    async def stop_trial(self, file: str) -> models.TrialRef:
        """Stop a trial.

        End a trial after its present question.
        """
        call = Call("DELETE", "/api/graphs/try/{}", places=(file,))
        answer: models.TrialRef = await self.read_json(call, models.TrialRef)
        return answer

    async def list_graphs(
        self,
    ) -> list[models.PresetSummary | models.SavedSummary | models.DamagedSummary]:
        """List graphs.

        The presets, then the saved graphs in their newest version, then those that are damaged.
        """
        call = Call("GET", "/api/graphs")
        answer: list[
            models.PresetSummary | models.SavedSummary | models.DamagedSummary
        ] = await self.read_json(
            call, list[models.PresetSummary | models.SavedSummary | models.DamagedSummary]
        )
        return answer

    async def check_graph(self, body: models.GraphRequest) -> list[models.Finding]:
        """Check a graph.

        The checker's findings; without an error among them, the graph can be run.
        """
        call = Call("POST", "/api/graphs/check", body=body)
        answer: list[models.Finding] = await self.read_json(call, list[models.Finding])
        return answer

    async def draw_graph(self, body: models.GraphRequest) -> str:
        """Draw a graph.

        The graph as a Mermaid flowchart.
        """
        call = Call("POST", "/api/graphs/draw", body=body)
        return await self.read_text(call)

    async def diff_graphs(self, body: models.DiffRequest) -> list[models.Difference]:
        """Compare graphs.

        What differs from one graph to another.
        """
        call = Call("POST", "/api/graphs/diff", body=body)
        answer: list[models.Difference] = await self.read_json(call, list[models.Difference])
        return answer

    async def import_graph(
        self, content: bytes, *, name: str | None = None, note: str | None = None
    ) -> models.Version:
        """Import a graph.

        Save a graph from YAML or JSON as a new one.
        """
        call = Call(
            "POST", "/api/graphs/import", content=content, query={"name": name, "note": note}
        )
        answer: models.Version = await self.read_json(call, models.Version)
        return answer

    async def show_graph(
        self, name: str, *, version: int | None = None
    ) -> models.Version | models.PresetGraph:
        """Show a graph.

        A graph's text and spec; of a saved graph, those of a version.
        """
        call = Call("GET", "/api/graphs/{}", places=(name,), query={"version": version})
        answer: models.Version | models.PresetGraph = await self.read_json(
            call, models.Version | models.PresetGraph
        )
        return answer

    async def save_version(
        self, name: str, body: models.NewVersion | None = None
    ) -> models.Version:
        """Save a version.

        Save a new version on top of `base`; 409 if there is a newer one.
        """
        call = Call("PUT", "/api/graphs/{}", places=(name,), body=body)
        answer: models.Version = await self.read_json(call, models.Version)
        return answer

    async def rename_graph(self, name: str, body: models.NameChange) -> models.Version:
        """Rename a graph.

        Rename a saved graph with all its versions.
        """
        call = Call("PATCH", "/api/graphs/{}", places=(name,), body=body)
        answer: models.Version = await self.read_json(call, models.Version)
        return answer

    async def delete_graph(self, name: str) -> models.GraphRef:
        """Delete a graph.

        Delete a saved graph with all its versions; sessions keep theirs.
        """
        call = Call("DELETE", "/api/graphs/{}", places=(name,))
        answer: models.GraphRef = await self.read_json(call, models.GraphRef)
        return answer

    async def copy_graph(self, name: str, body: models.CopyRequest) -> models.Version:
        """Copy a graph.

        Make a new graph from a preset, a saved graph or a version of one.
        """
        call = Call("POST", "/api/graphs/{}/copy", places=(name,), body=body)
        answer: models.Version = await self.read_json(call, models.Version)
        return answer

    async def list_versions(self, name: str) -> list[models.VersionLine]:
        """List versions.

        The versions of a saved graph, newest first, without their texts.
        """
        call = Call("GET", "/api/graphs/{}/versions", places=(name,))
        answer: list[models.VersionLine] = await self.read_json(call, list[models.VersionLine])
        return answer

    async def restore_version(self, name: str, body: models.RestoreRequest) -> models.Version:
        """Restore a version.

        Make an earlier version the newest one.
        """
        call = Call("POST", "/api/graphs/{}/restore", places=(name,), body=body)
        answer: models.Version = await self.read_json(call, models.Version)
        return answer

    async def export_graph(self, name: str, *, version: int | None = None) -> str:
        """Export a graph.

        The YAML as it was written.
        """
        call = Call("GET", "/api/graphs/{}/export", places=(name,), query={"version": version})
        return await self.read_text(call)

    async def check_health(self) -> models.Health:
        """Check the server.

        Whether the server is there; with a token, also how many of one's sessions run in it.
        """
        call = Call("GET", "/api/health")
        answer: models.Health = await self.read_json(call, models.Health)
        return answer

    async def show_metrics(self) -> str:
        """Show the metrics.

        Sessions by status, runs, fetches, model calls, tokens, dollars and errors.

        Counters begin with the server; those of spending grow when a run ends. Sessions are those
        of the spaces of accounts that are in use.
        """
        call = Call("GET", "/api/metrics")
        return await self.read_text(call)

    async def list_memory(
        self, *, search: str | None = None, site: str | None = None
    ) -> list[models.MemoryItem]:
        """List the memory.

        What was learned from earlier sessions, newest first.
        """
        call = Call("GET", "/api/memory", query={"search": search, "site": site})
        answer: list[models.MemoryItem] = await self.read_json(call, list[models.MemoryItem])
        return answer

    async def forget_items(self, body: models.ForgetRequest | None = None) -> models.ForgottenItems:
        """Forget.

        Forget for good.
        """
        call = Call("POST", "/api/memory/forget", body=body)
        answer: models.ForgottenItems = await self.read_json(call, models.ForgottenItems)
        return answer

    async def list_recipes(self) -> list[models.RecipeLine]:
        """List recipes.

        The paths that are tried first when a question is asked again.
        """
        call = Call("GET", "/api/recipes")
        answer: list[models.RecipeLine] = await self.read_json(call, list[models.RecipeLine])
        return answer

    async def delete_recipe(self, number: int) -> models.RecipeRef:
        """Delete a recipe.

        Delete a recipe; the next time, its question starts from scratch.
        """
        call = Call("DELETE", "/api/recipes/{}", places=(number,))
        answer: models.RecipeRef = await self.read_json(call, models.RecipeRef)
        return answer

    async def search_pages(
        self,
        *,
        query: str | None = None,
        site: str | None = None,
        count: int | None = None,
        provider: list[str] | None = None,
    ) -> models.SearchResults:
        """Search.

        Search the web, or the pages that were crawled of a site.
        """
        call = Call(
            "GET",
            "/api/search",
            query={"query": query, "site": site, "count": count, "provider": provider},
        )
        answer: models.SearchResults = await self.read_json(call, models.SearchResults)
        return answer

    async def measure_cache(self) -> models.PageCacheSize:
        """Measure the cache.

        How much the page cache holds.
        """
        call = Call("GET", "/api/cache")
        answer: models.PageCacheSize = await self.read_json(call, models.PageCacheSize)
        return answer

    async def delete_cache(self) -> models.PageCacheSize:
        """Delete the cache.

        Delete the page cache; returns how much it held.
        """
        call = Call("DELETE", "/api/cache")
        answer: models.PageCacheSize = await self.read_json(call, models.PageCacheSize)
        return answer

    async def examine_machine(self) -> list[models.Check]:
        """Examine the machine.

        What was found on this machine and what is missing.
        """
        call = Call("GET", "/api/doctor")
        answer: list[models.Check] = await self.read_json(call, list[models.Check])
        return answer

    async def list_models(self) -> models.ChatModels:
        """List models.

        Every graph as a model: the presets, then the saved graphs.
        """
        call = Call("GET", "/v1/models")
        answer: models.ChatModels = await self.read_json(call, models.ChatModels)
        return answer

    async def show_model(self, model: str) -> models.ChatModel:
        """Show a model.

        A graph as a model.
        """
        call = Call("GET", "/v1/models/{}", places=(model,))
        answer: models.ChatModel = await self.read_json(call, models.ChatModel)
        return answer

    async def complete_chat(self, body: models.ChatRequest) -> models.ChatCompletion:
        """Complete a chat.

        Answer the last message of a conversation, whose earlier answers were given here.

        The first question starts a session, further ones are follow-ups of it. If the client goes
        away before the end, the session is paused.
        """
        call = Call("POST", "/v1/chat/completions", body=body)
        answer: models.ChatCompletion = await self.read_json(call, models.ChatCompletion)
        return answer

    async def list_accounts(self) -> list[models.AccountLine]:
        """List accounts.

        All accounts with their limits, and what each has spent this month.
        """
        call = Call("GET", "/api/accounts")
        answer: list[models.AccountLine] = await self.read_json(call, list[models.AccountLine])
        return answer

    async def add_account(self, body: models.NewAccount) -> models.AccountLine:
        """Add an account.

        Add an account with a space of its own.
        """
        call = Call("POST", "/api/accounts", body=body)
        answer: models.AccountLine = await self.read_json(call, models.AccountLine)
        return answer

    async def change_account(
        self, name: str, body: models.AccountChange | None = None
    ) -> models.AccountLine:
        """Change an account.

        Change role, password and limits of an account, or disable it; that counts at once.
        """
        call = Call("PATCH", "/api/accounts/{}", places=(name,), body=body)
        answer: models.AccountLine = await self.read_json(call, models.AccountLine)
        return answer

    async def remove_account(self, name: str) -> models.AccountRef:
        """Remove an account.

        Remove an account with all that it has stored, for good.
        """
        call = Call("DELETE", "/api/accounts/{}", places=(name,))
        answer: models.AccountRef = await self.read_json(call, models.AccountRef)
        return answer

    async def show_own_account(self) -> models.AccountLine:
        """Show one's own account.

        The account of whoever asks.
        """
        call = Call("GET", "/api/account")
        answer: models.AccountLine = await self.read_json(call, models.AccountLine)
        return answer

    async def change_own_password(self, body: models.PasswordChange) -> models.AccountRef:
        """Change one's own password.

        Change the password, which ends all logins of the account; its tokens stay.
        """
        call = Call("PUT", "/api/account/password", body=body)
        answer: models.AccountRef = await self.read_json(call, models.AccountRef)
        return answer

    async def list_tokens(self) -> list[models.TokenLine]:
        """List tokens.

        One's own tokens, without their values.
        """
        call = Call("GET", "/api/tokens")
        answer: list[models.TokenLine] = await self.read_json(call, list[models.TokenLine])
        return answer

    async def create_token(self, body: models.NewToken) -> models.MadeToken:
        """Create a token.

        A token for programs, which may do no more than its account. A token makes no other one.
        """
        call = Call("POST", "/api/tokens", body=body)
        answer: models.MadeToken = await self.read_json(call, models.MadeToken)
        return answer

    async def revoke_token(self, id: str) -> models.TokenRef:
        """Revoke a token.

        End one of one's own tokens. A token ends itself alone.
        """
        call = Call("DELETE", "/api/tokens/{}", places=(id,))
        answer: models.TokenRef = await self.read_json(call, models.TokenRef)
        return answer

    async def list_shares(self) -> models.ShareList:
        """List shares.

        What one shares with other accounts, and what one was given.
        """
        call = Call("GET", "/api/shares")
        answer: models.ShareList = await self.read_json(call, models.ShareList)
        return answer

    async def share_with_account(self, body: models.NewShare) -> models.ShareLine:
        """Share.

        Share a session or a graph with an account, or with everyone who has one.
        """
        call = Call("POST", "/api/shares", body=body)
        answer: models.ShareLine = await self.read_json(call, models.ShareLine)
        return answer

    async def end_account_share(self, id: str) -> models.ShareRef:
        """End a share.

        Share something with nobody of this share any more.
        """
        call = Call("DELETE", "/api/shares/{}", places=(id,))
        answer: models.ShareRef = await self.read_json(call, models.ShareRef)
        return answer

    async def show_shared_session(self, id: str) -> models.Report:
        """Show a shared session.

        The report of a session that one was given. Empty members are left out.
        """
        call = Call("GET", "/api/shares/{}/session", places=(id,))
        answer: models.Report = await self.read_json(call, models.Report)
        return answer

    async def show_shared_graph(self, id: str) -> models.Version:
        """Show a shared graph.

        The newest version of a graph that one was given.
        """
        call = Call("GET", "/api/shares/{}/graph", places=(id,))
        answer: models.Version = await self.read_json(call, models.Version)
        return answer

    async def copy_shared_graph(self, id: str, body: models.SharedCopy) -> models.Version:
        """Copy a shared graph.

        Copy a graph that one was given into one's own saved graphs.
        """
        call = Call("POST", "/api/shares/{}/copy", places=(id,), body=body)
        answer: models.Version = await self.read_json(call, models.Version)
        return answer
