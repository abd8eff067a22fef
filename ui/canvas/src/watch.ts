// A run on its graph: how often each node ran and each edge was taken, and where it is now.
export type Lights = {
  nodes: Record<string, { count: number; status: string }>;
  edges: Record<string, number>;
  now: string[];
};
