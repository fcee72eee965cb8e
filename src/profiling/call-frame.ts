import type { Frame } from './profile.ts';

/** A function as the inspector tells it. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  /** From 0; -1: none. */
  readonly lineNumber: number;
}

/** A node of a tree of calls, with the functions that led to it. */
export interface CalledNode<Node> {
  readonly node: Node;
  /** The innermost first. */
  readonly frames: readonly Frame[];
}

function frameOf({ functionName, url, lineNumber }: CallFrame): Frame {
  return { name: functionName === '' ? '(anonymous)' : functionName, url, line: lineNumber + 1 };
}

/** The nodes of a tree of calls, without its root. The stack may be deep, so this does not recur. */
export function* callsOf<Node extends { readonly callFrame: CallFrame }>(
  root: Node,
  childrenOf: (node: Node) => readonly Node[],
): Generator<CalledNode<Node>> {
  const left = childrenOf(root).map((node) => ({ node, frames: [frameOf(node.callFrame)] }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    yield next;
    const { frames } = next;
    for (const node of childrenOf(next.node)) left.push({ node, frames: [frameOf(node.callFrame), ...frames] });
  }
}
