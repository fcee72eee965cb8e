import type { Graph, State } from './grammar.ts';
import type { TokenType } from './token.ts';

/** Return states of open rules, innermost first. */
export interface Stack {
  readonly follow: State;
  readonly outer: Stack | undefined;
}

/** Possible next tokens; `atEnd` when the rule may end. */
export interface NextTokens {
  readonly tokens: ReadonlySet<TokenType>;
  readonly atEnd: boolean;
}

const known = new WeakMap<State, NextTokens>();

/** What can follow a state within its rule. */
export function nextTokens(graph: Graph, state: State): NextTokens {
  let next = known.get(state);
  if (next === undefined) known.set(state, (next = findNextTokens(graph, state)));
  return next;
}

function findNextTokens(graph: Graph, state: State): NextTokens {
  const tokens = new Set<TokenType>();
  const seen = new Set<string>();
  let atEnd = false;
  const open: { readonly state: State; readonly stack: Stack | undefined }[] = [{ state, stack: undefined }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const key = `${next.state.id} ${next.stack?.follow.id ?? ''}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (next.state.kind === 'stop') {
      if (next.stack === undefined) atEnd = true;
      else open.push({ state: next.stack.follow, stack: next.stack.outer });
      continue;
    }
    for (const edge of next.state.edges) {
      if (edge.kind === 'tokens') for (const token of edge.tokens) tokens.add(token);
      else if (edge.kind === 'rule') {
        open.push({ state: graph.start(edge.rule), stack: { follow: edge.to, outer: next.stack } });
      } else open.push({ state: edge.to, stack: next.stack });
    }
  }
  return { tokens, atEnd };
}

/** What can follow a state, given the open rules. */
export function expectedTokens(graph: Graph, state: State, stack: Stack | undefined): Set<TokenType> {
  let next = nextTokens(graph, state);
  const tokens = new Set(next.tokens);
  let open = stack;
  while (next.atEnd && open !== undefined) {
    next = nextTokens(graph, open.follow);
    for (const token of next.tokens) tokens.add(token);
    open = open.outer;
  }
  if (next.atEnd) tokens.add('EOF');
  return tokens;
}

/** What can follow in the open rules. */
export function recoveryTokens(graph: Graph, stack: Stack | undefined): Set<TokenType> {
  const tokens = new Set<TokenType>();
  for (let open = stack; open !== undefined; open = open.outer) {
    for (const token of nextTokens(graph, open.follow).tokens) tokens.add(token);
  }
  return tokens;
}
