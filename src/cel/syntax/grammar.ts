import type { TokenType } from './token.ts';

/**
 * The grammar as a state graph, as the reference's parser generator builds it: syntax errors depend on how that parser
 * looks ahead and recovers.
 */
export interface State {
  readonly id: number;
  readonly rule: RuleName;
  /** The kind of decision, which determines how the parser recovers. */
  kind: 'plain' | 'block' | 'loop-entry' | 'loop-back' | 'stop';
  readonly edges: Edge[];
}

export type Edge =
  | { readonly kind: 'empty'; readonly to: State }
  | { readonly kind: 'tokens'; readonly tokens: ReadonlySet<TokenType>; readonly to: State }
  /** Enabled where operators of this precedence may follow. */
  | { readonly kind: 'precedence'; readonly precedence: number; readonly to: State }
  | { readonly kind: 'rule'; readonly rule: RuleName; readonly precedence: number; to: State };

export type RuleName = keyof typeof grammar;

/** The elements of a rule; each knows its start state. */
export type Part =
  | { readonly kind: 'token'; readonly tokens: readonly TokenType[]; state?: State }
  | { readonly kind: 'rule'; readonly rule: string; readonly precedence: number; state?: State }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'optional'; readonly part: Part; state?: State }
  | {
      readonly kind: 'loop';
      readonly part: Part;
      readonly isSimple: boolean;
      readonly atLeastOnce: boolean;
      state?: State;
      back?: State;
    }
  | { readonly kind: 'choice'; readonly parts: readonly Part[]; readonly isSimple: boolean; state?: State }
  | { readonly kind: 'precedence'; readonly precedence: number; state?: State };

const token = (...tokens: TokenType[]): Part => ({ kind: 'token', tokens });
const rule = (name: string, precedence = 0): Part => ({ kind: 'rule', rule: name, precedence });
const sequence = (...parts: Part[]): Part => ({ kind: 'sequence', parts });
const optional = (part: Part): Part => ({ kind: 'optional', part });
const choice = (...parts: Part[]): Part => ({ kind: 'choice', parts, isSimple: false });
const precedence = (level: number): Part => ({ kind: 'precedence', precedence: level });
/** A loop decided by one token. */
const simpleLoop = (part: Part): Part => ({ kind: 'loop', part, isSimple: true, atLeastOnce: false });
/** A loop decided by longer lookahead. */
const loop = (part: Part): Part => ({ kind: 'loop', part, isSimple: false, atLeastOnce: false });

const commaLoop = (name: string): Part => sequence(rule(name), simpleLoop(sequence(token(','), rule(name))));
const entry = (key: string): Part => sequence(rule(key), token(':'), rule('expr'));
const entries = (key: string): Part => sequence(entry(key), loop(sequence(token(','), entry(key))));
const closed = (open: TokenType, list: string, close: TokenType): Part =>
  sequence(token(open), optional(rule(list)), optional(token(',')), token(close));
const call = sequence(token('('), optional(rule('exprList')), token(')'));

export const grammar = {
  start: sequence(rule('expr'), token('EOF')),
  expr: sequence(rule('or'), optional(sequence(token('?'), rule('or'), token(':'), rule('expr')))),
  or: sequence(rule('and'), simpleLoop(sequence(token('||'), rule('and')))),
  and: sequence(rule('relation'), simpleLoop(sequence(token('&&'), rule('relation')))),
  relation: sequence(
    rule('calc'),
    loop(sequence(precedence(1), token('==', '!=', 'in', '<', '<=', '>=', '>'), rule('relation', 2))),
  ),
  calc: sequence(
    rule('unary'),
    loop(
      choice(
        sequence(precedence(2), token('*', '/', '%'), rule('calc', 3)),
        sequence(precedence(1), token('-', '+'), rule('calc', 2)),
      ),
    ),
  ),
  unary: choice(
    rule('member'),
    sequence({ kind: 'loop', part: token('!'), isSimple: true, atLeastOnce: true }, rule('member')),
    sequence({ kind: 'loop', part: token('-'), isSimple: false, atLeastOnce: true }, rule('member')),
  ),
  member: sequence(
    rule('primary'),
    loop(
      choice(
        sequence(precedence(3), token('.'), optional(token('?')), rule('escapeIdent')),
        sequence(precedence(2), token('.'), token('IDENTIFIER'), call),
        sequence(precedence(1), token('['), optional(token('?')), rule('expr'), token(']')),
      ),
    ),
  ),
  primary: choice(
    sequence(optional(token('.')), token('IDENTIFIER')),
    sequence(optional(token('.')), token('IDENTIFIER'), copied(call)),
    sequence(token('('), rule('expr'), token(')')),
    closed('[', 'listInit', ']'),
    closed('{', 'mapInit', '}'),
    sequence(
      optional(token('.')),
      token('IDENTIFIER'),
      simpleLoop(sequence(token('.'), token('IDENTIFIER'))),
      closed('{', 'fieldInit', '}'),
    ),
    rule('literal'),
  ),
  exprList: commaLoop('expr'),
  listInit: sequence(rule('optExpr'), loop(sequence(token(','), rule('optExpr')))),
  fieldInit: entries('optField'),
  optField: sequence(optional(token('?')), rule('escapeIdent')),
  mapInit: entries('optExpr'),
  escapeIdent: { kind: 'choice', parts: [token('IDENTIFIER'), token('ESC_IDENTIFIER')], isSimple: true } as Part,
  optExpr: sequence(optional(token('?')), rule('expr')),
  literal: choice(
    sequence(optional(token('-')), token('NUM_INT')),
    token('NUM_UINT'),
    sequence(optional(token('-')), token('NUM_FLOAT')),
    token('STRING'),
    token('BYTES'),
    token('true'),
    token('false'),
    token('null'),
  ),
} satisfies { readonly [name: string]: Part };

/** Elements know their states, so none may be used twice. */
function copied(part: Part): Part {
  return structuredClone(part);
}

/** States of all rules. */
export class Graph {
  readonly starts = new Map<RuleName, State>();
  readonly stops = new Map<RuleName, State>();
  /** Follow state of each rule reference. */
  readonly follows = new Map<RuleName, State[]>();
  /** Ends of blocks, and of the bodies of loops. */
  readonly #ends = new Set<State>();
  readonly #references: (Edge & { readonly kind: 'rule' })[] = [];
  #count = 0;

  constructor() {
    const names = Object.keys(grammar) as RuleName[];
    for (const name of names) {
      this.starts.set(name, this.#state(name));
      this.stops.set(name, this.#state(name, 'stop'));
      this.follows.set(name, []);
    }
    for (const name of names) {
      const end = this.#build(grammar[name], this.start(name), name);
      end.edges.push({ kind: 'empty', to: this.stop(name) });
    }
    for (const reference of this.#references) {
      this.#shorten(reference);
      expected(this.follows.get(reference.rule)).push(reference.to);
    }
  }

  /** A rule at the end of a block is followed by the end itself, whichever alternative it is in. */
  #shorten(reference: Edge & { readonly kind: 'rule' }): void {
    const [only, ...others] = reference.to.edges;
    if (reference.to.kind !== 'plain' || others.length > 0) return;
    if (only?.kind === 'empty' && this.#ends.has(only.to)) reference.to = only.to;
  }

  start(name: RuleName): State {
    return expected(this.starts.get(name));
  }

  stop(name: RuleName): State {
    return expected(this.stops.get(name));
  }

  #state(name: RuleName, kind: State['kind'] = 'plain'): State {
    this.#count += 1;
    return { id: this.#count, rule: name, kind, edges: [] };
  }

  /** The state after an element that starts at a state. */
  #build(part: Part, from: State, name: RuleName): State {
    switch (part.kind) {
      case 'sequence':
        return part.parts.reduce((state, each) => this.#build(each, state, name), from);
      case 'optional':
        return this.#buildBlock(part, [part.part, undefined], from);
      case 'choice':
        return this.#buildBlock(part, part.parts, from);
      case 'loop':
        return this.#buildLoop(part, from, name);
      default:
        return this.#buildEdge(part, from, name);
    }
  }

  #next(from: State, kind: State['kind'] = 'plain'): State {
    const next = this.#state(from.rule, kind);
    from.edges.push({ kind: 'empty', to: next });
    return next;
  }

  #buildEdge(part: Part & { readonly kind: 'token' | 'rule' | 'precedence' }, from: State, name: RuleName): State {
    const state = this.#next(from);
    const to = this.#state(name);
    part.state = state;
    if (part.kind === 'token') state.edges.push({ kind: 'tokens', tokens: new Set(part.tokens), to });
    else if (part.kind === 'precedence') state.edges.push({ kind: 'precedence', precedence: part.precedence, to });
    else {
      // The grammar refers to its own rules only.
      const called = part.rule as RuleName;
      const reference = { kind: 'rule', rule: called, precedence: part.precedence, to } as const;
      state.edges.push(reference);
      this.#references.push(reference);
    }
    return to;
  }

  #buildBlock(part: Part & { state?: State }, parts: readonly (Part | undefined)[], from: State): State {
    const block = this.#next(from, 'block');
    const end = this.#state(from.rule);
    this.#ends.add(end);
    part.state = block;
    for (const each of parts) {
      const start = this.#next(block);
      const last = each === undefined ? start : this.#build(each, start, from.rule);
      last.edges.push({ kind: 'empty', to: end });
    }
    return end;
  }

  #buildLoop(part: Part & { readonly kind: 'loop' }, from: State, name: RuleName): State {
    const end = this.#state(name);
    if (part.atLeastOnce) {
      const block = this.#next(from, 'block');
      const back = this.#state(name, 'loop-back');
      this.#ends.add(back);
      this.#build(part.part, block, name).edges.push({ kind: 'empty', to: back });
      back.edges.push({ kind: 'empty', to: block }, { kind: 'empty', to: end });
      part.state = block;
      part.back = back;
      return end;
    }
    const enter = this.#next(from, 'loop-entry');
    const body = this.#next(enter, 'block');
    const back = this.#state(name, 'loop-back');
    this.#ends.add(back);
    this.#build(part.part, body, name).edges.push({ kind: 'empty', to: back });
    back.edges.push({ kind: 'empty', to: enter });
    enter.edges.push({ kind: 'empty', to: end });
    part.state = enter;
    part.back = back;
    return end;
  }
}

export function expected<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the grammar has a gap');
  return value;
}
