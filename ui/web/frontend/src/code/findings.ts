// Findings of the checker as marks at the lines that they are about.
import type { Diagnostic } from "@codemirror/lint";
import type { Text } from "@codemirror/state";

export interface LineFinding { line: number; severity: "error" | "warning"; message: string }

export function diagnosticsOf(text: Text, findings: readonly LineFinding[]): Diagnostic[] {
  return findings.map(({ line, severity, message }) => {
    const { from, to } = text.line(Math.min(Math.max(line, 1), text.lines));
    return { from, to, severity, message };
  });
}
