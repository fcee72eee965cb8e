import { getOwn, isJsonObject, type JsonValue } from '../api/json/json.ts';
import { type Comparison, comparisonOf } from './json-path-comparison.ts';

/*
 * JSON paths as used by kubectl and printer columns:
 *
 *   .spec.replicas    .metadata.labels['a\.b']    .status.conditions[?(@.type=="Ready")].status    .spec.ports[0,2].name    ..name
 *
 * A path is a list of steps; each maps the values found so far to the next ones.
 */

/** Thrown for malformed paths, and for paths that do not fit the value. */
export class JsonPathError extends Error {
  readonly code = 'json-path';
}

type Step = (values: readonly JsonValue[]) => JsonValue[];

/** Evaluates the path; throws a JsonPathError when it does not fit the value. */
export type JsonPath = (root: JsonValue) => readonly JsonValue[];

/** Bounds the results of hostile paths, which can multiply at each step. */
const maxFound = 10_000;

/** Throws a JsonPathError. */
export function parseJsonPath(text: string): JsonPath {
  const steps = new Parser(text).steps();
  return (root) => walk(steps, [root]);
}

function walk(steps: readonly Step[], values: readonly JsonValue[]): readonly JsonValue[] {
  let found = values;
  for (const step of steps) {
    found = step(found);
    if (found.length > maxFound) throw new JsonPathError('the path matches too many values');
  }
  return found;
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  steps(): Step[] {
    const steps: Step[] = [];
    while (this.#at < this.#text.length) {
      const step = this.#step();
      if (step !== undefined) steps.push(...step);
    }
    return steps;
  }

  /** Undefined for tokens without effect. */
  #step(): readonly Step[] | undefined {
    const rest = this.#text.slice(this.#at);
    const [first = ''] = rest;
    if (rest.startsWith('[?(')) return [this.#filter()];
    if (rest.startsWith('..')) return this.#descent();
    if (first === '[') return this.#bracket();
    if (first === '.') {
      this.#at += 1;
      return [this.#field()];
    }
    if (first === '"' || first === "'") return [constant(this.#quoted(first))];
    if (/[-+\d]/.test(first)) return [this.#number()];
    if (first === ' ' || first === '@' || first === '$') {
      this.#at += 1;
      return undefined;
    }
    return [this.#word()];
  }

  #descent(): readonly Step[] {
    this.#at += 2;
    return /[\p{L}\d_]/u.test(this.#text[this.#at] ?? '') ? [descendants, this.#field()] : [descendants];
  }

  /** A field name up to the next delimiter; a backslash escapes a character. */
  #field(): Step {
    let name = '';
    for (; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#text[this.#at] ?? '';
      if (' \t\r\n.,[]$@{}'.includes(char)) break;
      if (char === '\\') this.#at += 1;
      name += char === '\\' ? (this.#text[this.#at] ?? '') : char;
    }
    return name === '*' ? children : field(name);
  }

  #word(): Step {
    const [word = ''] = /^[\p{L}\d_]*/u.exec(this.#text.slice(this.#at)) ?? [];
    if (word !== 'true' && word !== 'false') throw new JsonPathError(`unexpected ${this.#text.slice(this.#at)}`);
    this.#at += word.length;
    return constant(word === 'true');
  }

  #number(): Step {
    const [text = ''] = /^[-+]?[\d.]*/.exec(this.#text.slice(this.#at)) ?? [];
    const value = Number(text);
    if (text === '' || Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`);
    this.#at += text.length;
    return constant(value);
  }

  #quoted(quote: string): string {
    let text = '';
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      const char = this.#text[at] ?? '';
      if (char === quote) {
        this.#at = at + 1;
        return text;
      }
      if (char === '\\') at += 1;
      text += char === '\\' ? (this.#text[at] ?? '') : char;
    }
    throw new JsonPathError('unterminated quoted string');
  }

  #bracket(): readonly Step[] {
    const end = this.#text.indexOf(']', this.#at);
    if (end === -1) throw new JsonPathError('unterminated array');
    const inside = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    const parts = inside === '*' ? [':'] : inside.split(',');
    const [only, ...others] = parts.map((part) => elements(parts.length === 1 ? part : part.trim()));
    if (only === undefined) throw new JsonPathError('invalid array index');
    if (others.length === 0) return only;
    return [(values) => [only, ...others].flatMap((steps) => [...walk(steps, values)])];
  }

  #filter(): Step {
    const start = this.#at + '[?('.length;
    const end = endOfFilter(this.#text, start);
    const inside = this.#text.slice(start, end);
    this.#at = end + 2;
    const [, left, operator, right] = /^([^!<>=]+)([!<>=]+)([^!<>=].*)$/s.exec(inside) ?? [];
    if (left === undefined || operator === undefined || right === undefined) {
      const steps = new Parser(inside).steps();
      return filter((item) => finds(steps, item));
    }
    return filter(compared(new Parser(left).steps(), comparisonOf(operator), new Parser(right).steps()));
  }
}

/** Index of the closing parenthesis, skipping quoted ones. */
function endOfFilter(text: string, start: number): number {
  let quote = '';
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (quote !== '') {
      if (char === quote && text[at - 1] !== '\\') quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === ')') {
      if (text[at + 1] !== ']') throw new JsonPathError('unclosed array expect ]');
      return at;
    }
  }
  throw new JsonPathError('unterminated filter');
}

/** The contents of brackets: a quoted field name, an index or a slice. */
function elements(text: string): readonly Step[] {
  const [, name] = /^'([^']*)'$/.exec(text) ?? [];
  if (name !== undefined) return new Parser(`.${name}`).steps();
  const [range, start = '', end, step] = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text) ?? [];
  if (range === undefined) throw new JsonPathError(`invalid array index ${text}`);
  const numberOf = (part: string | undefined): number | undefined => {
    const digits = part?.replace(/^:/, '') ?? '';
    return digits === '' ? undefined : Number(digits);
  };
  const from = numberOf(start);
  if (from === undefined && end === undefined) throw new JsonPathError(`invalid array index ${text}`);
  return [slice({ from: from ?? 0, to: end === undefined ? 'next' : numberOf(end), step: numberOf(step) ?? 1 })];
}

interface Range {
  readonly from: number;
  /** `next`: a single item; undefined: up to the end. */
  readonly to: number | 'next' | undefined;
  readonly step: number;
}

function slice({ from, to, step }: Range): Step {
  return (values) =>
    values.flatMap((value) => {
      if (value === null) return [];
      if (!Array.isArray(value)) throw new JsonPathError('not an array');
      const { length } = value;
      const start = from < 0 ? from + length : from;
      const given = to === 'next' ? start + 1 : (to ?? length);
      const end = given < 0 ? given + length : given;
      if (start === end) return [];
      if (start < 0 || start >= length || end < 0 || end > length || start > end || step <= 0) {
        throw new JsonPathError('array index out of bounds');
      }
      return value.slice(start, end).filter((_, index) => index % step === 0);
    });
}

function field(name: string): Step {
  return (values) =>
    values.flatMap((value) => {
      const found = isJsonObject(value) ? getOwn(value, name) : undefined;
      return found === undefined ? [] : [found];
    });
}

function constant(value: JsonValue): Step {
  return (values) => values.map(() => value);
}

function partsOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

const children: Step = (values) => values.flatMap(partsOf);

/** All lists and objects within the values, outer ones first. */
const descendants: Step = (values) =>
  values.flatMap((value) => {
    const parts = partsOf(value);
    return parts.length === 0 ? [] : [value, ...descendants(parts)];
  });

function filter(passes: (item: JsonValue) => boolean): Step {
  return (values) =>
    values.flatMap((value) => {
      if (!Array.isArray(value)) throw new JsonPathError('not an array');
      return value.filter(passes);
    });
}

function finds(steps: readonly Step[], item: JsonValue): boolean {
  try {
    return walk(steps, [item]).length > 0;
  } catch (error) {
    if (error instanceof JsonPathError) return false;
    throw error;
  }
}

function compared(left: readonly Step[], compare: Comparison, right: readonly Step[]): (item: JsonValue) => boolean {
  return (item) => {
    const [a, ...moreLeft] = walk(left, [item]);
    const [b, ...moreRight] = walk(right, [item]);
    if (moreLeft.length + moreRight.length > 0) throw new JsonPathError('can only compare one element at a time');
    if (a === undefined || b === undefined) return false;
    const passes = compare(a, b);
    if (passes === undefined) throw new JsonPathError('incompatible types for comparison');
    return passes;
  };
}
