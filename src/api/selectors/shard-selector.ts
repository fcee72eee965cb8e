import { goQuote } from '../go/go-quote.ts';

/** Selects objects by ranges of a field's hash: one client's shard of a resource. */
export interface ShardSelector {
  /** As in field selectors. */
  readonly field: 'metadata.uid' | 'metadata.namespace';
  readonly ranges: readonly ShardRange[];
  /** As echoed in answers. */
  readonly text: string;
}

/** `start <= hash < end`, as 16 hexadecimal digits after `0x`; an end of 17 digits exceeds all hashes. */
interface ShardRange {
  readonly start: string;
  readonly end: string;
}

/** A shard selector that cannot be parsed. Texts are the reference's. */
export class ShardSelectorError extends Error {
  readonly code = 'SHARD_SELECTOR';
}

/** The subset of CEL's syntax that a selector may use, and what is distinguished for error messages. */
type Expression =
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'literal'; readonly value: string | undefined; readonly type: string };

/** Expression ids in the reference's messages. */
const kindNumbers = { call: 1, identifier: 3, literal: 5, select: 7 };
const aboveAll = '0x10000000000000000';
const fields: { readonly [path: string]: ShardSelector['field'] } = {
  'object.metadata.uid': 'metadata.uid',
  'object.metadata.namespace': 'metadata.namespace',
};

/**
 * Parses `shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000') || ...`. Throws a
 * ShardSelectorError.
 */
export function parseShardSelector(text: string): ShardSelector {
  if (text.trim() === '') {
    throw new ShardSelectorError('empty shard selector is not allowed; omit the parameter for unfiltered lists');
  }
  const calls = rangesOf(new Parser(tokensOf(text)).whole());
  const [first] = calls;
  const other = calls.find(({ path }) => path !== first?.path);
  if (first === undefined || other !== undefined) {
    const paths = [first, other].map((call) => goQuote(call?.path ?? ''));
    throw new ShardSelectorError(`all shard ranges must use the same field, got ${paths.join(' and ')}`);
  }
  return {
    field: first.field,
    ranges: calls.map(({ start, end }) => ({ start, end })),
    text: calls.map(({ path, start, end }) => `shardRange(${path}, '${start}', '${end}')`).join(' || '),
  };
}

/** Whether a value of the selector's field belongs to the shard. */
export function isInShard({ ranges }: ShardSelector, value: string): boolean {
  const hash = `0x${fnv1a(Buffer.from(value))}`;
  return ranges.some(({ start, end }) => !isLess(hash, start) && isLess(hash, end));
}

function isLess(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

/** 64-bit FNV-1a in two halves: its prime is 2^40 + 0x1b3. */
function fnv1a(bytes: Uint8Array): string {
  let high = 0xcbf2_9ce4;
  let low = 0x8422_2325;
  for (const byte of bytes) {
    const mixed = (low ^ byte) >>> 0;
    const product = mixed * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + mixed * 2 ** 8) % 2 ** 32;
    low = product % 2 ** 32;
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

interface RangeCall extends ShardRange {
  readonly path: string;
  readonly field: ShardSelector['field'];
}

function rangesOf(expression: Expression): readonly RangeCall[] {
  if (expression.kind !== 'call') {
    const kind = kindOf(expression);
    throw new ShardSelectorError(`unexpected expression kind ${kind}; expected shardRange() call or || operator`);
  }
  if (expression.name === '_||_') return expression.args.flatMap(rangesOf);
  if (expression.name === 'shardRange') return [rangeOf(expression.args)];
  throw new ShardSelectorError(
    `unsupported function ${goQuote(expression.name)}; only shardRange() and || are allowed`,
  );
}

function rangeOf(args: readonly Expression[]): RangeCall {
  const [where, from, to] = args;
  if (where === undefined || from === undefined || to === undefined || args.length > 3) {
    throw new ShardSelectorError(`shardRange() requires exactly 3 arguments, got ${args.length}`);
  }
  if (where.kind !== 'path') {
    const problem = `expected field path (e.g. object.metadata.uid), got expression kind ${kindOf(where)}`;
    throw new ShardSelectorError(`shardRange() first argument: ${problem}`);
  }
  const { path } = where;
  const field = fields[path];
  if (field === undefined) {
    const supported = Object.keys(fields).join(', ');
    throw new ShardSelectorError(`unsupported field path ${goQuote(path)}; supported: ${supported}`);
  }
  const start = boundOf(from, 'hexStart');
  const end = boundOf(to, 'hexEnd');
  if (!isLess(start, end)) throw new ShardSelectorError(`shard range start ${start} must be less than end ${end}`);
  return { path, field, start, end };
}

function boundOf(expression: Expression, name: string): string {
  if (expression.kind !== 'literal') {
    const kind = kindOf(expression);
    throw new ShardSelectorError(`${name} must be a string literal (e.g. '0xff'), got expression kind ${kind}`);
  }
  const { value, type } = expression;
  if (value === undefined) throw new ShardSelectorError(`${name} must be a string literal, got ${type}`);
  const problem = boundProblem(value);
  if (problem !== undefined) throw new ShardSelectorError(`${name}${problem}`);
  return value;
}

function boundProblem(text: string): string | undefined {
  const quoted = goQuote(text);
  if (!text.startsWith('0x')) return ` must have '0x' prefix, got ${quoted}`;
  const digits = text.slice(2);
  const bytes = Buffer.byteLength(digits);
  if (digits === '') return ": hex value is required after '0x'";
  if (bytes > 17) return `: hex value too long (${bytes} chars, max 17): ${goQuote(digits)}`;
  const wrong = /[^0-9a-f]/u.exec(digits)?.[0];
  if (wrong !== undefined) return `: invalid hex character ${goQuote(wrong)} in ${quoted}`;
  if (digits.length === 17 && text !== aboveAll) {
    return `: 17-digit hex value must be '${aboveAll}' (2^64), got ${quoted}`;
  }
  if (digits.length >= 16) return undefined;
  const padded = goQuote(`0x${digits.padStart(16, '0')}`);
  return ` must be a 0x-prefixed 16-digit hex value, got ${quoted} (did you mean ${padded}?)`;
}

function kindOf(expression: Expression): number {
  if (expression.kind !== 'path') return kindNumbers[expression.kind];
  return expression.path.includes('.') ? kindNumbers.select : kindNumbers.identifier;
}

const tokenPattern =
  /\s*(?<token>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?)u?|\|\||&&|[=!<>]=|\S)/y;

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  const trimmed = text.trim();
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < trimmed.length) {
    const token = tokenPattern.exec(trimmed)?.groups?.['token'] ?? '';
    if (/^['"\\#@$&|;^~`]$/.test(token)) throw syntaxError(`token recognition error at: '${token}'`);
    tokens.push(token);
  }
  return tokens;
}

function syntaxError(message: string): ShardSelectorError {
  return new ShardSelectorError(`CEL parse error: Syntax error: ${message}`);
}

/** Parses calls, paths, literals, parentheses and `||`. */
class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#alternatives();
    if (this.#at < this.#tokens.length) throw this.#mismatch('<EOF>');
    return expression;
  }

  #alternatives(): Expression {
    const parts = [this.#member()];
    while (this.#take('||')) parts.push(this.#member());
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'call', name: '_||_', args: parts };
  }

  /** The receiver of a call is ignored. */
  #member(): Expression {
    let expression = this.#primary();
    while (this.#take('.')) {
      const name = this.#tokens[this.#at] ?? '';
      if (!isName(name)) throw this.#mismatch('IDENTIFIER');
      this.#at += 1;
      if (this.#take('(')) expression = { kind: 'call', name, args: this.#arguments() };
      else if (expression.kind === 'path') expression = { kind: 'path', path: `${expression.path}.${name}` };
      else throw this.#mismatch("'('");
    }
    return expression;
  }

  #primary(): Expression {
    const token = this.#tokens[this.#at] ?? '';
    if (this.#take('(')) {
      const inner = this.#alternatives();
      if (!this.#take(')')) throw this.#mismatch("')'");
      return inner;
    }
    const literal = literalOf(token);
    if (literal === undefined && !isName(token)) throw this.#mismatch('an expression');
    this.#at += 1;
    if (literal !== undefined) return literal;
    return this.#take('(') ? { kind: 'call', name: token, args: this.#arguments() } : { kind: 'path', path: token };
  }

  #arguments(): readonly Expression[] {
    const args: Expression[] = [];
    if (this.#take(')')) return args;
    do args.push(this.#alternatives());
    while (this.#take(','));
    if (!this.#take(')')) throw this.#mismatch("')'");
    return args;
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #mismatch(expected: string): ShardSelectorError {
    return syntaxError(`mismatched input '${this.#tokens[this.#at] ?? '<EOF>'}' expecting ${expected}`);
  }
}

function isName(token: string): boolean {
  return /^[A-Za-z_]/.test(token);
}

function literalOf(token: string): Expression | undefined {
  if (/^['"]/.test(token)) return { kind: 'literal', value: token.slice(1, -1), type: 'string' };
  if (token === 'true' || token === 'false') return { kind: 'literal', value: undefined, type: 'bool' };
  if (token === 'null') return { kind: 'literal', value: undefined, type: 'structpb.NullValue' };
  if (!/^\d/.test(token)) return undefined;
  const type = token.endsWith('u') ? 'uint64' : /^\d+\./.test(token) ? 'float64' : 'int64';
  return { kind: 'literal', value: undefined, type };
}
