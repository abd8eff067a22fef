"""Which role each call of the API needs; a call that is not named here is refused."""

from collections.abc import Mapping
from typing import Final

from forager.accounts import Role
from ui.server.backend import require_role

OPEN: Final = ("check_health",)
"""Open to everybody."""
VIEWER: Final = (
    *("show_own_account", "change_own_password", "list_tokens", "create_token"),
    *("revoke_token", "list_shares", "show_shared_session", "show_shared_graph"),
    *("list_sessions", "show_session", "list_events", "stream_session_events", "stream_session"),
    *("list_requests", "export_session", "list_checkpoints", "show_changes", "list_node_runs"),
    *("inspect_node", "show_state", "show_site_maps", "show_spending", "show_screenshot"),
    *("list_draws", "show_quote", "list_batches", "show_batch", "list_batch_rows"),
    *("download_answers", "show_trial", "list_graphs", "show_graph", "list_versions"),
    *("export_graph", "list_memory", "list_recipes", "list_models", "show_model"),
)
"""Reading, in one's own space and of what is shared, and one's own account."""
ASKER: Final = (
    *("start_session", "import_session", "rename_session", "delete_session", "tag_session"),
    *("pin_session", "unpin_session", "share_session", "end_share", "follow_up"),
    *("resume_session", "pause_session", "stop_session", "steer_session", "continue_session"),
    *("fork_session", "preview_move", "answer_request", "try_node", "complete_chat"),
    *("add_batch", "delete_batch", "start_batch", "resume_batch", "pause_batch", "stop_batch"),
    *("forget_items", "delete_recipe", "search_pages", "measure_cache", "delete_cache"),
    *("check_graph", "draw_graph", "diff_graphs", "copy_shared_graph", "share_with_account"),
    "end_account_share",
)
"""Asking, and all that belongs to one's own sessions."""
EDITOR: Final = (
    *("import_graph", "save_version", "rename_graph", "delete_graph", "copy_graph"),
    *("restore_version", "start_trial", "stop_trial"),
)
"""Graphs, and comparing them."""
ADMIN: Final = (
    *("show_metrics", "examine_machine", "list_accounts", "add_account", "change_account"),
    "remove_account",
)
"""Accounts, and what concerns the machine."""
ROUTE_ROLES: Final[Mapping[str, Role]] = {
    **dict.fromkeys(VIEWER, "viewer"),
    **dict.fromkeys(ASKER, "asker"),
    **dict.fromkeys(EDITOR, "editor"),
    **dict.fromkeys(ADMIN, "admin"),
}


def require_route_role(route: str) -> None:
    """Raise RoleError if who asks may not make this call."""
    if route not in OPEN:
        require_role(ROUTE_ROLES.get(route, "admin"))
