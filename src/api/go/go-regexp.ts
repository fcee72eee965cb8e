import { LruMap } from '../collections/lru-map.ts';
import type * as Engine from 're2js';
import { renamed } from './go-regexp-names.ts';

// User-supplied regular expressions: RE2 syntax with Go's semantics, matched in time linear in the expression and the
// text.

/** For example `missing closing ): \`(a\``. */
export class GoRegexpError extends Error {
  readonly code = 'GO_REGEXP';
  constructor(what: string, part: string) {
    super(`${what}: \`${part}\``);
  }
}

let loaded: typeof Engine | undefined;

/** Loads the engine; to be awaited before expressions are parsed. A server without user expressions never loads it. */
export async function loadGoRegexp(): Promise<void> {
  loaded ??= await import('re2js');
}

function engine(): typeof Engine {
  if (loaded === undefined) throw new Error('the regular expression engine is not loaded');
  return loaded;
}

/** The parse error, such as `error parsing regexp: missing closing ): \`(a\``; undefined for valid expressions. */
export function goRegexpError(expression: string): string | undefined {
  try {
    compiled(expression);
    return undefined;
  } catch (error) {
    if (error instanceof GoRegexpError) return `error parsing regexp: ${error.message}`;
    throw error;
  }
}

/** Steps (50 to 100 ns each) that one match may take. */
const maxSteps = 2_000_000;
const stepsToCompile = 100;

/**
 * Whether an expression matches anywhere in a text; undefined when matching could block the event loop for long. Throws
 * GoRegexpError for invalid expressions.
 */
export function goRegexpMatches(expression: string, text: string): boolean | undefined {
  return matchesIn(compiled(expression), text);
}

function matchesIn({ size, classSize, pattern }: Compiled, text: string): boolean | undefined {
  const steps = size * (text.length + stepsToCompile) + classSize;
  return steps > maxSteps ? undefined : pattern().test(text.toWellFormed());
}

/** A compiled expression, for callers that match many texts. */
export interface GoRegexp {
  /** Undefined when matching could block the event loop for long, as below. */
  matches(text: string): boolean | undefined;
  /** Matches from left to right, up to a limit. */
  find(text: string, limit: number): readonly string[] | undefined;
}

/** Throws GoRegexpError for invalid expressions. */
export function compileGoRegexp(expression: string): GoRegexp {
  const made = compiled(expression);
  return {
    matches: (text) => matchesIn(made, text),
    find: (text, limit) => findIn(made, text, limit),
  };
}

/** Each match may scan the rest of the text, so finding many matches can take quadratic time. */
const maxUnitsForAll = 10_000;

function findIn({ size, classSize, pattern }: Compiled, text: string, limit: number): string[] | undefined {
  const steps = size * (text.length + stepsToCompile) + classSize;
  if (steps > maxSteps || (limit > 1 && text.length > maxUnitsForAll)) return undefined;
  const found: string[] = [];
  const wellFormed = text.toWellFormed();
  const matcher = pattern().matcher(wellFormed);
  let end = -1;
  while (found.length < limit && matcher.find()) {
    const isEmptyAfterMatch = matcher.start() === matcher.end() && matcher.start() === end;
    end = matcher.end();
    // Go skips an empty match that touches the previous one.
    if (!isEmptyAfterMatch) found.push(wellFormed.slice(matcher.start(), end));
  }
  return found;
}

interface Compiled extends Size {
  readonly pattern: () => Engine.RE2JS;
}

/** Lists apply few expressions to many texts. */
const recent = new LruMap<string, Compiled>(8);
/** The largest program worth keeping. */
const maxRecentSize = 5000;

function compiled(expression: string): Compiled {
  const known = recent.get(expression);
  if (known !== undefined) return known;
  const { text, ...size } = read(expression);
  let pattern: Engine.RE2JS | undefined;
  const made: Compiled = { ...size, pattern: () => (pattern ??= engine().RE2JS.compile(text)) };
  if (made.size <= maxRecentSize) recent.set(expression, made);
  return made;
}

interface Read extends Size {
  /** The expression in the engine's syntax. */
  readonly text: string;
}

/** Go's limit is higher, but no known expression comes near this one. */
const maxLength = 10_000;
const maxCounts = 100_000;

const errors = {
  large: 'expression too large',
  deep: 'expression nests too deeply',
  perl: 'invalid or unsupported Perl syntax',
} as const;

/** Parses without compiling, as nested counts multiply in the compiled program. */
function read(expression: string): Read {
  if (expression.length > maxLength || countsIn(expression) > maxCounts) {
    throw new GoRegexpError(errors.large, expression);
  }
  const { RE2JSSyntaxException, RE2Set } = engine();
  const { text, original } = renamed(expression.toWellFormed());
  const set = new RE2Set();
  try {
    set.add(text);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const { error: what, input } = error;
    if (what === errors.large || what === errors.deep) throw new GoRegexpError(what, expression);
    // Go sees no name at the end of the text.
    if (input === '(?<' || input === '(?P<') throw new GoRegexpError(errors.perl, input.slice(0, 3));
    throw new GoRegexpError(what, original(input ?? ''));
  }
  return { text, ...sizeOf(set.regexps) };
}

/** The sum of the counts: of `5` and `3` in `a{2,5}b{3}`. */
function countsIn(expression: string): number {
  let sum = 0;
  for (const [, count] of expression.matchAll(/\{(?:\d{1,4},)?(\d{1,4})(?=,?\})/g)) sum += Number(count);
  return sum;
}

interface Size {
  /** Number of instructions of the program. */
  readonly size: number;
  /** Bounds of character ranges in them. */
  readonly classSize: number;
}

/** The parsed expression; counts are expanded into as many parts. */
interface Part {
  readonly op: number;
  /** The characters of a literal, or the bounds of a class. */
  readonly runes: ArrayLike<number>;
  readonly subs: readonly Part[];
}

const literal = 2;

/** Stops counting once the limit is exceeded. */
function sizeOf(parts: readonly Part[]): Size {
  const open = [...parts];
  let size = 0;
  let classSize = 0;
  for (let part = open.pop(); part !== undefined && size * stepsToCompile <= maxSteps; part = open.pop()) {
    const isLiteral = part.op === literal;
    size += isLiteral ? part.runes.length : 1;
    classSize += isLiteral ? 0 : part.runes.length;
    for (const inner of part.subs) open.push(inner);
  }
  return { size, classSize };
}
