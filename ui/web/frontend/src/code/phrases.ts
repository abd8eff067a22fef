// The words of the search panel and of the marks, in the language of the page.
import { say } from "../shared/language";

export function phrases(): Record<string, string> {
  return {
    "Find": say("Find"),
    "Replace": say("Replace"),
    "next": say("next match"),
    "previous": say("previous match"),
    "all": say("all"),
    "match case": say("match case"),
    "regexp": say("regular expression"),
    "by word": say("whole words"),
    "replace": say("replace"),
    "replace all": say("replace all"),
    "close": say("close"),
    "Completions": say("Completions"),
    "Diagnostics": say("Findings"),
    "No diagnostics": say("No findings"),
  };
}
