import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** A place in a pattern that reads one character. Assertions on the way to it are ignored. */
export interface Position {
  /** As written. */
  readonly raw: string;
  readonly chars: ReadonlySet<string>;
  /** The places that can be read next, and the number of ways to get there: 1, or 2 for more. */
  readonly next: ReadonlyMap<Position, number>;
}

/** A point between characters. */
interface Node {
  readonly positions: OpenPosition[];
  readonly ways: Way[];
}

interface Way {
  readonly to: Node;
  /** An assertion must hold here. */
  readonly conditional: boolean;
}

interface OpenPosition {
  readonly raw: string;
  readonly chars: ReadonlySet<string>;
  readonly to: Node;
}

/**
 * The places of a pattern, preceded by one that skips any character, as a search does. Places after which the pattern
 * has matched lead nowhere. Throws for patterns that are not regular.
 */
export function positionsOf(source: string, flags: string): readonly Position[] {
  const unicode = flags.includes('u') || flags.includes('v');
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode,
    unicodeSets: flags.includes('v'),
  });
  const end = node();
  const plain = flags.replaceAll(/[gy]/g, '');
  const first = new Builder(plain, true).alternatives(pattern.alternatives, end);
  const found = new Map<OpenPosition, Position>();
  collect(first, end, found);
  if (!flags.includes('y')) {
    const skip = node();
    skip.positions.push({ raw: '(beginning anywhere)', chars: new Set(alphabet), to: skip });
    way(skip, new Builder(plain, false).alternatives(pattern.alternatives, end));
    collect(skip, end, found);
  }
  return [...found.values()];
}

const node = (): Node => ({ positions: [], ways: [] });

function way(from: Node, to: Node, conditional = false): void {
  from.ways.push({ to, conditional });
}

/** Collects the places reachable from a node, with their successors. */
function collect(from: Node, end: Node, found: Map<OpenPosition, Position>): void {
  for (const position of reach(from, end).positions.keys()) {
    if (found.has(position)) continue;
    const next = new Map<Position, number>();
    found.set(position, { raw: position.raw, chars: position.chars, next });
    const { positions, matches } = reach(position.to, end);
    if (matches) continue;
    collect(position.to, end, found);
    for (const [follower, count] of positions) {
      const known = found.get(follower);
      if (known !== undefined) next.set(known, count);
    }
  }
}

interface Reached {
  readonly positions: ReadonlyMap<OpenPosition, number>;
  /** The pattern has matched here. */
  readonly matches: boolean;
}

/** What can be reached without reading a character; no node twice on the same path. */
function reach(from: Node, end: Node): Reached {
  const positions = new Map<OpenPosition, number>();
  let matches = false;
  const walk = (at: Node, before: readonly Node[], conditional: boolean): void => {
    if (at === end && !conditional) matches = true;
    for (const position of at.positions) positions.set(position, Math.min(2, (positions.get(position) ?? 0) + 1));
    for (const { to, conditional: here } of at.ways) {
      if (!before.includes(to)) walk(to, [...before, to], conditional || here);
    }
  };
  walk(from, [from], false);
  return { positions, matches };
}

/** Larger counts are treated as unlimited. */
const manyTimes = 20;
/** Number of copies that represent a smaller count. */
const maxCopies = 3;

/** Builds nodes from the end to the beginning. */
class Builder {
  readonly #flags: string;
  readonly #atStart: boolean;

  /** `atStart`: the pattern matches only at the start of the string. */
  constructor(flags: string, atStart: boolean) {
    this.#flags = flags;
    this.#atStart = atStart;
  }

  alternatives(alternatives: readonly AST.Alternative[], end: Node): Node {
    const start = node();
    for (const { elements } of alternatives) {
      way(
        start,
        elements.toReversed().reduce((to: Node, element) => this.#element(element, to), end),
      );
    }
    return start;
  }

  #element(element: AST.Element, to: Node): Node {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.alternatives(element.alternatives, to);
      case 'Quantifier':
        return this.#quantifier(element, to);
      case 'Assertion':
        return this.#assertion(element, to);
      case 'Backreference':
        throw new Error(`${element.raw} refers back`);
      default: {
        const start = node();
        start.positions.push({ raw: element.raw, chars: charsOf(element.raw, this.#flags), to });
        return start;
      }
    }
  }

  #quantifier({ element, min, max }: AST.Quantifier, to: Node): Node {
    let start = node();
    way(start, to);
    if (max > manyTimes) {
      // Separate from the start, since an iteration that reads nothing is not repeated.
      const after = node();
      const again = this.#element(element, after);
      for (const from of [start, after]) way(from, again);
      way(after, to);
    } else {
      for (let count = Math.min(max, maxCopies); count > Math.min(min, maxCopies); count -= 1) {
        const before = node();
        way(before, this.#element(element, start));
        way(before, to);
        start = before;
      }
    }
    for (let count = Math.min(min, maxCopies); count > 0; count -= 1) start = this.#element(element, start);
    return start;
  }

  #assertion(assertion: AST.Assertion, to: Node): Node {
    const start = node();
    const lines = this.#flags.includes('m');
    if (assertion.kind === 'start') {
      if (this.#atStart || lines) way(start, to, lines);
    } else if (assertion.kind === 'end') {
      if (lines) way(start, to, true);
    } else {
      way(start, to, true);
      // A lookahead reads like an alternative that leads nowhere.
      if (assertion.kind === 'lookahead') way(start, this.alternatives(assertion.alternatives, node()), true);
      if (assertion.kind === 'lookbehind' && /[*+]|\{\d+,\}/.test(assertion.raw)) {
        throw new Error(`${assertion.raw} looks behind without end`);
      }
    }
    return start;
  }
}

/** Representatives of all characters. */
const alphabet: readonly string[] = [
  ...Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)),
  'α',
  'Ω',
  'ß',
  'K',
  '٣',
  '中',
  '\u2003',
  '\u2028',
  '\ufeff',
  '\ud83d',
  '\ude00',
  '😀',
];

const known = new Map<string, ReadonlySet<string>>();

function charsOf(raw: string, flags: string): ReadonlySet<string> {
  const key = `${flags} ${raw}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const one = new RegExp(`^(?:${raw})$`, flags);
  const chars = new Set(alphabet.filter((char) => one.test(char)));
  known.set(key, chars);
  return chars;
}
