/* eslint-disable @typescript-eslint/no-non-null-assertion -- indices that lie within the arrays, in the innermost loops */
// A heap that gives the least first, for the search of paths.
export class MinHeap {
  private items: number[] = [];
  private costs: number[] = [];

  get size(): number {
    return this.items.length;
  }

  push(item: number, cost: number): void {
    const { items, costs } = this;
    let at = items.length;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (costs[up]! <= cost) break;
      items[at] = items[up]!;
      costs[at] = costs[up]!;
      at = up;
    }
    items[at] = item;
    costs[at] = cost;
  }

  pop(): number {
    const { items, costs } = this;
    const least = items[0]!;
    const item = items.pop()!;
    const cost = costs.pop()!;
    const size = items.length;
    if (!size) return least;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && costs[child + 1]! < costs[child]!) child += 1;
      if (costs[child]! >= cost) break;
      items[at] = items[child]!;
      costs[at] = costs[child]!;
      at = child;
    }
    items[at] = item;
    costs[at] = cost;
    return least;
  }
}
