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
  const { size, classSize, pattern } = compiled(expression);
  const steps = size * (text.length + stepsToCompile) + classSize;
  return steps > maxSteps ? undefined : pattern().test(text.toWellFormed());
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
