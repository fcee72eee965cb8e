import type * as Engine from 're2js';
import { renamed } from './go-regexp-names.ts';

// Regular expressions of users: RE2 syntax, read and matched as Go does it, in time that grows with the expression and the text alone.

/** The message is `missing closing ): \`(a\``. */
export class GoRegexpError extends Error {
  readonly code = 'GO_REGEXP';
  constructor(what: string, part: string) {
    super(`${what}: \`${part}\``);
  }
}

let loaded: typeof Engine | undefined;

/** To be awaited before expressions are read: a server that nobody gives any does without the engine. */
export async function loadGoRegexp(): Promise<void> {
  loaded ??= await import('re2js');
}

function engine(): typeof Engine {
  if (loaded === undefined) throw new Error('regular expressions are read before their engine is loaded');
  return loaded;
}

/** Why an expression is none, as `error parsing regexp: missing closing ): \`(a\``; undefined when it is one. */
export function goRegexpError(expression: string): string | undefined {
  try {
    read(expression);
    return undefined;
  } catch (error) {
    if (error instanceof GoRegexpError) return `error parsing regexp: ${error.message}`;
    throw error;
  }
}

/** Steps of 50 to 100 ns that one match may take. */
const maxSteps = 2_000_000;
const stepsToCompile = 100;

/**
 * Whether an expression matches anywhere in a text; undefined when finding out could keep others waiting for long. Throws
 * GoRegexpError for what is no expression.
 */
export function goRegexpMatches(expression: string, text: string): boolean | undefined {
  return matchesIn(compiled(expression), text);
}

function matchesIn({ size, classSize, pattern }: Compiled, text: string): boolean | undefined {
  const steps = size * (text.length + stepsToCompile) + classSize;
  return steps > maxSteps ? undefined : pattern().test(text.toWellFormed());
}

/** An expression that is kept by whoever matches many texts. */
export interface GoRegexp {
  /** Undefined when finding out could keep others waiting for long, here and below. */
  matches(text: string): boolean | undefined;
  /** What matches, from left to right, up to so many. */
  find(text: string, limit: number): readonly string[] | undefined;
}

/** Throws GoRegexpError for what is no expression. */
export function compileGoRegexp(expression: string): GoRegexp {
  const made = compiled(expression);
  return {
    matches: (text) => matchesIn(made, text),
    find: (text, limit) => findIn(made, text, limit),
  };
}

/** Each match may take all of the text, so that a search in a long text for many may take its square. */
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
    // Go does not count an empty match that touches the one before it.
    if (!isEmptyAfterMatch) found.push(wellFormed.slice(matcher.start(), end));
  }
  return found;
}

interface Compiled extends Size {
  readonly pattern: () => Engine.RE2JS;
}

/** Lists have many texts for few expressions. */
const recent = new Map<string, Compiled>();
const maxRecent = 8;
/** Of a program that is worth its memory. */
const maxRecentSize = 5000;

function compiled(expression: string): Compiled {
  const known = recent.get(expression);
  if (known !== undefined) return known;
  const { text, ...size } = read(expression);
  let pattern: Engine.RE2JS | undefined;
  const made: Compiled = { ...size, pattern: () => (pattern ??= engine().RE2JS.compile(text)) };
  if (made.size > maxRecentSize) return made;
  recent.set(expression, made);
  const [oldest] = recent.keys();
  if (recent.size > maxRecent && oldest !== undefined) recent.delete(oldest);
  return made;
}

interface Read extends Size {
  /** The expression as the engine takes it. */
  readonly text: string;
}

/** Go takes more, but no expression is known that comes near. */
const maxLength = 10_000;
const maxCounts = 100_000;

const errors = {
  large: 'expression too large',
  deep: 'expression nests too deeply',
  perl: 'invalid or unsupported Perl syntax',
} as const;

/** Reads without compiling, which would take what the nested counts in the expression come to. */
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
    // Go sees no name where nothing follows.
    if (input === '(?<' || input === '(?P<') throw new GoRegexpError(errors.perl, input.slice(0, 3));
    throw new GoRegexpError(what, original(input ?? ''));
  }
  return { text, ...sizeOf(set.regexps) };
}

/** The sum of what is counted, of `5` and `3` in `a{2,5}b{3}`. */
function countsIn(expression: string): number {
  let sum = 0;
  for (const [, count] of expression.matchAll(/\{(?:\d{1,4},)?(\d{1,4})(?=,?\})/g)) sum += Number(count);
  return sum;
}

interface Size {
  /** Instructions of the program. */
  readonly size: number;
  /** Bounds of ranges of characters in them. */
  readonly classSize: number;
}

/** What the engine reads; counts have become as many parts. */
interface Part {
  readonly op: number;
  /** The characters of a literal, or the bounds of a class. */
  readonly runes: ArrayLike<number>;
  readonly subs: readonly Part[];
}

const literal = 2;

/** Counts until it is certainly too much. */
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
