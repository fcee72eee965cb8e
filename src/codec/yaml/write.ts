import { JsonMembers, JsonNumber, type JsonTree } from '../../api/json/json-tree.ts';
import { parseJsonTree } from '../json-tree-parser.ts';
import { goFloatText } from './go-float.ts';
import { parseYaml } from './read.ts';
import { resolveScalar } from './scalar-values.ts';
import { compareKeys } from './key-order.ts';

/*
 * YAML as Kubernetes writes it: block style, keys in natural order, lists not indented below their key, strings plain
 * where safe, lines folded after 80 columns.
 *
 *   spec:
 *     containers:
 *     - args:
 *       - "8080"
 */

/** Lines are broken at the first space after this column. */
const foldWidth = 80;
/** Longer keys use the `? key` form. */
const maxSimpleKeyBytes = 128;

/** The YAML of a JSON text; with `written` keys keep their order. Throws YamlError for what the reference refuses. */
export function encodeYaml(json: string, keys: 'sorted' | 'written' = 'sorted'): string {
  return Buffer.concat([...yamlPieces(json, keys)]).toString();
}

/**
 * Writes YAML piece by piece: the YAML of a deep object has as many spaces as the square of its levels, hundreds of
 * megabytes. Throws before the first piece.
 */
export function* yamlPieces(json: string, keys: 'sorted' | 'written' = 'sorted'): Generator<Buffer, void> {
  const tree = keys === 'sorted' ? treeOf(json) : parseJsonTree(json);
  yield* new YamlWriter(keys === 'sorted').document(tree);
}

/**
 * The reference parses the JSON as YAML first, which works except for Unicode line breaks, control characters, escaped
 * surrogates and very long keys.
 */
function treeOf(json: string): JsonTree {
  const tree = unlikeYaml.test(json) ? undefined : parseJsonTree(json);
  return tree === undefined || hasLongKey(tree) ? parseYaml(Buffer.from(json)).tree : tree;
}

const unlikeYaml = /[\u007f-\u009f\ufffe\uffff]|\\u[dD]/;
/** Maximum length of a YAML key, in which an escape takes six characters. */
const maxSurelyShortKey = 160;

function hasLongKey(root: JsonTree): boolean {
  const waiting = [root];
  // No recursion: trees may be deep.
  for (let tree = waiting.pop(); tree !== undefined; tree = waiting.pop()) {
    if (tree instanceof JsonMembers) {
      if (tree.keys.some((key) => key.length > maxSurelyShortKey)) return true;
      for (const value of tree.values) waiting.push(value);
    } else if (Array.isArray(tree)) for (const item of tree) waiting.push(item);
  }
  return false;
}

/** Length of the pieces that the document is put together of. */
const pieceLength = 64 * 1024;

/** Context of a node. */
interface Context {
  readonly inMapping: boolean;
  readonly isKey: boolean;
}

/** A collection of which the parts before `next` have been written. */
interface Open {
  /** The keys of a mapping, in order; sequences have none. */
  readonly keys: readonly string[] | undefined;
  readonly values: readonly JsonTree[];
  /** Around it. */
  readonly indent: number;
  next: number;
}

class YamlWriter {
  readonly #sorted: boolean;
  /** Collections around the current position. No recursion: documents may be deep. */
  readonly #open: Open[] = [];
  private out = '';
  private column = 0;
  private indent = -1;
  /** The last output was white space. */
  private whitespace = true;
  /** The line contains only indentation and list dashes so far. */
  private indention = true;

  constructor(sorted: boolean) {
    this.#sorted = sorted;
  }

  *document(root: JsonTree): Generator<Buffer, void> {
    this.node(root, { inMapping: false, isKey: false });
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      if (this.out.length >= pieceLength) yield this.takePiece();
      const value = open.values[open.next];
      if (value === undefined) {
        this.#open.pop();
        this.indent = open.indent;
        continue;
      }
      this.writeIndent();
      if (open.keys === undefined) this.dash();
      else this.key(open.keys[open.next] ?? '');
      open.next += 1;
      this.node(value, { inMapping: open.keys !== undefined, isKey: false });
    }
    if (this.column > 0) this.lineBreak();
    yield this.takePiece();
  }

  private takePiece(): Buffer {
    const piece = Buffer.from(this.out);
    this.out = '';
    return piece;
  }

  /** Writes a scalar or what is empty; opens other collections. */
  private node(tree: JsonTree, context: Context): void {
    if (tree instanceof JsonMembers) this.mapping(tree);
    else if (Array.isArray(tree)) this.sequence(tree, context);
    else this.leaf(tree, context);
  }

  private leaf(tree: JsonNumber | string | boolean | null, context: Context): void {
    if (tree instanceof JsonNumber) this.scalar(numberScalar(tree.text), 'plain', context);
    else if (typeof tree === 'string') this.scalar(tree, wantedStyle(tree), context);
    else this.scalar(String(tree), 'plain', context);
  }

  private mapping({ keys, values }: JsonMembers): void {
    if (keys.length === 0) return this.empty('{', '}');
    const last = new Map<string, JsonTree>();
    for (const [i, key] of keys.entries()) last.set(key, values[i] ?? null);
    const names = [...last.keys()];
    if (this.#sorted) names.sort(compareKeys);
    this.#open.push({ keys: names, values: names.map((name) => last.get(name) ?? null), indent: this.indent, next: 0 });
    this.indent = this.indent < 0 ? 0 : this.indent + 2;
  }

  private key(key: string): void {
    const simple = !/[\n\r\u0085\u2028\u2029]/.test(key) && Buffer.byteLength(key) <= maxSimpleKeyBytes;
    if (simple) {
      this.scalar(key, wantedStyle(key), { inMapping: true, isKey: true });
      this.indicator(':', { space: false, indention: false });
    } else {
      this.indicator('?', { space: true, indention: true });
      this.scalar(key, wantedStyle(key), { inMapping: true, isKey: false });
      this.writeIndent();
      this.indicator(':', { space: true, indention: true });
    }
  }

  private sequence(items: readonly JsonTree[], { inMapping }: Context): void {
    if (items.length === 0) return this.empty('[', ']');
    const before = this.indent;
    const indentless = inMapping && !this.indention;
    this.#open.push({ keys: undefined, values: items, indent: before, next: 0 });
    if (before < 0) this.indent = 0;
    else if (!indentless) this.indent = before + 2;
  }

  private dash(): void {
    this.indicator('-', { space: true, indention: true });
    this.whitespace = false;
  }

  private empty(open: string, close: string): void {
    this.indicator(open, { space: true, indention: false });
    this.indicator(close, { space: false, indention: false });
  }

  private scalar(text: string, wanted: Style, { isKey }: Context): void {
    const before = this.indent;
    this.indent = before < 0 ? 2 : before + 2;
    const style = allowedStyle(text, wanted, isKey);
    scalarWriters[style](this, text, !isKey);
    if (style !== 'literal') {
      this.whitespace = false;
      this.indention = false;
    }
    this.indent = before;
  }

  plain(text: string, mayFold: boolean): void {
    if (!this.whitespace) this.put(' ');
    this.folded(text, { mayFold, doubled: '' });
  }

  singleQuoted(text: string, mayFold: boolean): void {
    this.indicator("'", { space: true, indention: false });
    this.folded(text, { mayFold, doubled: "'" });
    this.indicator("'", { space: false, indention: false });
  }

  /** Text whose spaces may become line breaks. */
  private folded(text: string, { mayFold, doubled }: { mayFold: boolean; doubled: string }): void {
    if (!this.mayBreak(text, mayFold)) {
      this.put(doubled === '' ? text : text.replaceAll(doubled, doubled + doubled));
      this.indention = false;
      return;
    }
    const chars = [...text];
    let spaces = false;
    let breaks = false;
    for (const [i, char] of chars.entries()) {
      if (char === ' ') {
        const inside = doubled === '' || (i > 0 && i < chars.length - 1);
        if (mayFold && !spaces && this.column > foldWidth && inside && chars[i + 1] !== ' ') this.writeIndent();
        else this.put(char);
        spaces = true;
      } else if (isBreak(char)) {
        if (!breaks && char === '\n') this.lineBreak();
        this.writeBreak(char);
        breaks = true;
      } else {
        if (breaks) this.writeIndent();
        this.put(char === doubled ? char + char : char);
        this.indention = false;
        spaces = false;
        breaks = false;
      }
    }
  }

  doubleQuoted(text: string, mayFold: boolean): void {
    this.indicator('"', { space: true, indention: false });
    if (isPrintable(text) && !this.mayBreak(text, mayFold)) {
      this.put(text);
      this.indicator('"', { space: false, indention: false });
      return;
    }
    const chars = [...text];
    // After a leading byte order mark the reference escapes everything.
    const escapesAll = text.startsWith('\ufeff');
    let spaces = false;
    for (const [i, char] of chars.entries()) {
      if (escapesAll || char !== ' ') {
        this.put(escapesAll || needsEscape(char) ? escapeChar(char) : char);
        spaces = false;
        continue;
      }
      if (mayFold && !spaces && this.column > foldWidth && i > 0 && i < chars.length - 1) {
        this.writeIndent();
        if (chars[i + 1] === ' ') this.put('\\');
      } else {
        this.put(char);
      }
      spaces = true;
    }
    this.indicator('"', { space: false, indention: false });
  }

  literal(text: string): void {
    this.indicator('|', { space: true, indention: false });
    this.put(blockHints(text));
    this.lineBreak();
    this.indention = true;
    this.whitespace = true;
    for (const [run] of text.matchAll(lineOrBreak)) {
      if (isBreak(run)) this.writeBreak(run);
      else {
        this.writeIndent();
        this.put(run);
        this.indention = false;
      }
    }
  }

  /** Whether the text may be folded. */
  private mayBreak(text: string, mayFold: boolean): boolean {
    if (anyBreak.test(text)) return true;
    // Quotes may be doubled.
    return mayFold && this.column + 2 * text.length > foldWidth && text.includes(' ');
  }

  private indicator(text: string, { space, indention }: { space: boolean; indention: boolean }): void {
    if (space && !this.whitespace) this.put(' ');
    this.put(text);
    this.whitespace = false;
    this.indention &&= indention;
  }

  private put(text: string): void {
    this.out += text;
    this.column += ascii.test(text) ? text.length : [...text].length;
  }

  private lineBreak(): void {
    this.out += '\n';
    this.column = 0;
  }

  private writeBreak(char: string): void {
    this.out += char;
    this.column = 0;
    this.indention = true;
  }

  private writeIndent(): void {
    const indent = Math.max(this.indent, 0);
    if (!this.indention || this.column > indent || (this.column === indent && !this.whitespace)) this.lineBreak();
    if (this.column < indent) {
      this.out += ' '.repeat(indent - this.column);
      this.column = indent;
    }
    this.whitespace = true;
    this.indention = true;
  }
}

const ascii = /^[\0-\x7f]*$/;
const anyBreak = /[\n\r\u0085\u2028\u2029]/;
/** A line break, or the text between two. */
const lineOrBreak = /[\n\r\u0085\u2028\u2029]|[^\n\r\u0085\u2028\u2029]+/g;

type Style = 'plain' | 'single' | 'double' | 'literal';

const scalarWriters: { readonly [style in Style]: (writer: YamlWriter, text: string, mayFold: boolean) => void } = {
  plain: (writer, text, mayFold) => writer.plain(text, mayFold),
  single: (writer, text, mayFold) => writer.singleQuoted(text, mayFold),
  double: (writer, text, mayFold) => writer.doubleQuoted(text, mayFold),
  literal: (writer, text) => writer.literal(text),
};

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** The style that a string requires, by its meaning as a plain scalar. */
function wantedStyle(text: string): Style {
  if (text.includes('\n')) return 'literal';
  const { type } = resolveScalar(text);
  return type === 'str' && !base60.test(text) ? 'plain' : 'double';
}

/** The style that the text permits, closest to the required one. */
function allowedStyle(text: string, wanted: Style, isKey: boolean): Style {
  if (wanted === 'double') return 'double';
  const special = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/.test(text) || / [\n\u2028\u2029]/.test(text);
  if (wanted === 'literal') return special || isKey || text.endsWith(' ') ? 'double' : 'literal';
  const breakThenSpace = /[\n\u2028\u2029] /.test(text);
  if (special || breakThenSpace) return 'double';
  if (text === '') return isKey ? 'single' : 'plain';
  return isPlain(text) ? 'plain' : 'single';
}

function isPlain(text: string): boolean {
  if (/^(?:---|\.\.\.)/.test(text)) return false;
  if (/^[ \u2028\u2029]|[ \u2028\u2029]$|[\u2028\u2029]/.test(text)) return false;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text) || /^[-?:](?:[ \t]|$)/.test(text)) return false;
  return !/:(?:[ \t]|$)|[ \t\u2028\u2029]#/.test(text);
}

function isBreak(char: string): boolean {
  return char === '\n' || char === '\r' || char === '\u0085' || char === '\u2028' || char === '\u2029';
}

/** Indentation and chomping of a literal block. */
function blockHints(text: string): string {
  const indent = /^[ \n\r\u0085\u2028\u2029]/.test(text) ? '2' : '';
  if (!/[\n\r\u0085\u2028\u2029]$/.test(text)) return `${indent}-`;
  return /^.$|[\n\r\u0085\u2028\u2029].$/su.test(text) ? `${indent}+` : indent;
}

function needsEscape(char: string): boolean {
  return /["\\\n\r\u2028\u2029]|[^\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u.test(char);
}

/** Only characters that need no escape in double quotes. */
function isPrintable(text: string): boolean {
  return /^[ !#-[\]-~]*$/.test(text);
}

const shortEscapes: { readonly [char: string]: string } = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u00a0': '\\_',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function escapeChar(char: string): string {
  const short = shortEscapes[char];
  if (short !== undefined) return short;
  const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}

/** 64-bit integers stay as they are, all other numbers are doubles. */
function numberScalar(text: string): string {
  const integer = /^-?[0-9]+$/.test(text) ? BigInt(text) : undefined;
  if (integer === undefined || integer < minInt64 || integer > maxUint64) return goFloatText(Number(text));
  return integer === 0n ? '0' : text;
}

const minInt64 = -(2n ** 63n);
const maxUint64 = 2n ** 64n - 1n;
