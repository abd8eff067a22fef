// Moves the focus inside a canvas.
export function focusNode(root: HTMLElement | null, name: string): void {
  const seek = (left: number) => {
    const node = root?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(name)}"]`);
    if (node) node.focus({ preventScroll: true });
    else if (left) requestAnimationFrame(() => seek(left - 1));
  };
  seek(20);
}

export function boardOf(root: HTMLElement | null): HTMLElement | null {
  return root?.querySelector<HTMLElement>(".board") ?? null;
}
