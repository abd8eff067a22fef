// The components of the pages but for the canvas, by the names that Python mounts them with.
import { enter_sends } from "./ask/enter_sends";
import { site_chips } from "./ask/site_chips";
import { change_list } from "./editor/change_list";
import { choice_list } from "./editor/choice_list";
import { logout } from "./editor/logout";
import { prompt_diff } from "./editor/prompt_diff";
import { arms } from "./figures/arms";
import { browser } from "./figures/browser";
import { draws } from "./figures/draws";
import { history } from "./sessions/history";
import { spend } from "./figures/spend";
import { memory_list } from "./memory/memory_list";
import { answer } from "./run/answer";
import { head } from "./run/head";
import { in_view } from "./run/in_view";
import { ledger } from "./run/ledger";
import { meters } from "./run/meters";
import { status } from "./run/status";
import { timeline } from "./run/timeline";
import { to_top } from "./run/to_top";
import { batch_rows } from "./sessions/batch_rows";
import { comparison } from "./sessions/comparison";
import { session_head } from "./sessions/session_head";
import { session_list } from "./sessions/session_list";
import { trial_table } from "./sessions/trial_table";
import type { Part } from "./shared/component";
import { connection } from "./shared/connection";
import { first_focus } from "./shared/first_focus";
import { shortcuts } from "./shared/shortcuts";
import { undo_hold } from "./shared/undo_hold";
import { site_map } from "./sitemap/site_map";

export const parts: Readonly<Record<string, Part>> = {
  answer, arms, batch_rows, browser, change_list, choice_list, comparison, connection, draws, enter_sends, first_focus, head, history, in_view, ledger,
  logout, memory_list, meters, prompt_diff, session_head, session_list, shortcuts, site_chips, site_map, spend, status,
  timeline, to_top, trial_table, undo_hold,
};
