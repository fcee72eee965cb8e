import type { Token } from './token.ts';

/** The rule that a part is parsed by; its result depends on nothing but its first token. */
export type PartRule = 'expr' | 'relation';

/** A part of an expression, by its first token. */
export interface TokenPart {
  readonly position: number;
  readonly rule: PartRule;
}

/** Parts in their order; nested, since copying them once per bracket takes too long. */
type Parts = readonly (TokenPart | Parts)[];

/** Parts have at most this many tokens. */
const tokensAtOnce = 300;
/** Shorter contents of brackets are not divided. */
const tokensInBrackets = 60;
/** Tokens that are looked at between two pauses. */
const tokensPerPause = 20_000;

/**
 * Divides a long expression into parts that can be parsed first, with pauses in between, innermost first. Only lists,
 * maps, arguments and chains of operators can be long, so their members are the parts:
 *
 *     a && f([b, c ? d : e])      if long: a   f( ... )       if f( ... ) is long too: b   c ? d : e
 *
 * Nothing depends on it: what is missing here or begins elsewhere is parsed later, in one step.
 */
export function* partsOfTokens(tokens: readonly Token[]): Generator<undefined, Iterable<TokenPart>> {
  return flat(tokens.length <= tokensAtOnce ? [] : yield* partsOf(tokens));
}

/** Without recursion: brackets may be nested too deeply for it. */
function* flat(parts: Parts): Generator<TokenPart> {
  const open = [parts.values()];
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    const next = current.next();
    if (next.done === true) open.pop();
    else if ('rule' in next.value) yield next.value;
    else open.push(next.value.values());
  }
}

function* partsOf(tokens: readonly Token[]): Generator<undefined, Parts> {
  const outer = new Brackets(0);
  const open = [outer];
  for (const [position, { type }] of tokens.entries()) {
    if (position % tokensPerPause === tokensPerPause - 1) yield;
    const inner = open.at(-1) ?? outer;
    switch (type) {
      case '(':
      case '[':
      case '{':
        open.push(new Brackets(position + 1));
        break;
      case ')':
      case ']':
      case '}':
        // Unbalanced ones are errors of syntax, which others find.
        if (open.length > 1) open.pop();
        (open.at(-1) ?? outer).take(inner.close(position));
        break;
      case ',':
        inner.endMember(position);
        break;
      case '?':
        inner.question(position);
        break;
      case ':':
        inner.colon(position);
        break;
      case '&&':
      case '||':
        inner.endOperand(position);
        break;
      case 'EOF':
        return outer.close(position);
      default:
    }
  }
  return [];
}

/** What is between two brackets: members, each of which may have several operands. */
class Brackets {
  readonly #begin: number;
  readonly #parts: (TokenPart | Parts)[] = [];
  /** Of the current member: its parts if it turns out to be long. */
  #operands: (TokenPart | Parts)[] = [];
  /** Parts of the current operand in brackets of its own. */
  #inner: Parts[] = [];
  #memberBegin: number;
  #operandBegin: number;
  /** Question marks that wait for a colon. */
  #conditions = 0;

  constructor(begin: number) {
    this.#begin = begin;
    this.#memberBegin = begin;
    this.#operandBegin = begin;
  }

  /** The parts of brackets within. */
  take(parts: Parts): void {
    if (parts.length > 0) this.#inner.push(parts);
  }

  endOperand(end: number): void {
    const isShort = end - this.#operandBegin <= tokensAtOnce;
    this.#operands.push(isShort ? { position: this.#operandBegin, rule: 'relation' } : this.#inner);
    this.#inner = [];
    this.#operandBegin = end + 1;
  }

  endMember(end: number): void {
    this.endOperand(end);
    const isShort = end - this.#memberBegin <= tokensAtOnce;
    this.#parts.push(isShort ? { position: this.#memberBegin, rule: 'expr' } : this.#operands);
    this.#operands = [];
    this.#memberBegin = end + 1;
    this.#conditions = 0;
  }

  /** Before a member it marks an optional one. */
  question(at: number): void {
    if (at === this.#memberBegin) {
      this.#memberBegin = at + 1;
      this.#operandBegin = at + 1;
    } else {
      this.#conditions += 1;
      this.endOperand(at);
    }
  }

  /** Of a condition, or between key and value. */
  colon(at: number): void {
    if (this.#conditions === 0) {
      this.endMember(at);
    } else {
      this.#conditions -= 1;
      this.endOperand(at);
    }
  }

  close(end: number): Parts {
    if (end - this.#begin <= tokensInBrackets) return [];
    this.endMember(end);
    return this.#parts;
  }
}
