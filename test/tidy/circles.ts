/** The first cycle reachable from each node; none is reported twice. */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const circles: (readonly string[])[] = [];
  const done = new Set<string>();
  const walk = (node: string, way: readonly string[]): void => {
    const at = way.indexOf(node);
    if (at !== -1) circles.push(way.slice(at));
    if (at !== -1 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) walk(next, [...way, node]);
    done.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
  return circles;
}
