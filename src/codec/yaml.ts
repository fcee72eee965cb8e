import {
  EVENT_ALIAS,
  EVENT_DOCUMENT,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE_PLAIN,
  YAMLException,
} from 'js-yaml';
import { goQuote } from '../api/go-quote.ts';
import { compareBytewise, numberText } from '../api/json-text.ts';
import { JsonMembers, JsonNumber, type JsonTree } from '../api/json-tree.ts';
import { maxNestingDepth } from './json-syntax.ts';
import { resolveScalar, type ScalarValue } from './yaml-scalars.ts';
import { syntaxMessage } from './yaml-syntax.ts';

/** A body that is no YAML, or YAML that no JSON can say. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}

export interface ParsedYaml {
  /** Members are sorted: the reference turns YAML into JSON by way of maps. */
  readonly tree: JsonTree;
  /** `line 3: key "a" already set in map`. */
  readonly duplicates: readonly string[];
}

/** As JSON. The message names the bound of the reference. */
const maxDepth = maxNestingDepth;

/** Reads the first document of a YAML stream as Kubernetes does. Throws YamlError. */
export function parseYaml(text: string): ParsedYaml {
  const first = firstDocument(text);
  const reader = new Reader(first, eventsOf(first));
  const tree = reader.document();
  return { tree, duplicates: reader.duplicates };
}

function eventsOf(text: string): readonly Event[] {
  try {
    return parseEvents(text, { maxDepth });
  } catch (error) {
    if (
      error instanceof RangeError ||
      (error instanceof YAMLException && error.reason.startsWith('nesting exceeded'))
    ) {
      throw new YamlError('yaml: exceeded max depth of 10000');
    }
    if (error instanceof YAMLException) throw new YamlError(syntaxMessage(text, error));
    throw error;
  }
}

const documentMark = /^(?:---|\.\.\.)(?=\s|$)/gm;

/** The first document of a stream: what follows it is not read, not even its errors. */
function firstDocument(text: string): string {
  for (const { index } of text.matchAll(documentMark)) {
    const before = text.slice(0, index);
    if (/^(?:\s*(?:[#%].*)?\n)*$/.test(before)) continue;
    return before;
  }
  return text;
}

/** A mapping while it is read: keys as the reference's map has them, so that `1` and `"1"` are two. */
interface Entry {
  readonly key: string;
  readonly value: JsonTree;
}

/** Finds the line of an offset; looks for line breaks when first asked. */
class Lines {
  private readonly text: string;
  private starts: number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Counted from 1. */
  lineAt(offset: number): number {
    this.starts ??= [0, ...Array.from(this.text.matchAll(/\n/g), ({ index }) => index + 1)];
    let low = 0;
    let high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

class Reader {
  readonly duplicates: string[] = [];
  private readonly text: string;
  private readonly events: readonly Event[];
  private readonly lines: Lines;
  private position = 0;
  /** Position of the event that each anchor names. */
  private readonly anchors = new Map<string, number>();
  private readonly open = new Set<string>();
  private decodeCount = 0;
  private aliasCount = 0;
  private aliasDepth = 0;
  /** What YAML allows and JSON does not, which shows after the whole document has been read. */
  private deferred: YamlError | undefined;

  constructor(text: string, events: readonly Event[]) {
    this.text = text;
    this.events = events;
    this.lines = new Lines(text);
  }

  document(): JsonTree {
    if (this.events[0]?.type !== EVENT_DOCUMENT) return null;
    this.position = 1;
    this.count();
    const tree = this.peek().type === EVENT_POP ? null : this.node();
    if (this.deferred !== undefined) throw this.deferred;
    return tree;
  }

  private peek(): Event {
    const event = this.events[this.position];
    if (event === undefined) throw new Error('the parser gave no event'); // its lists end with a POP for each start
    return event;
  }

  /** Bounds the work that aliases make, as the reference does. */
  private count(): void {
    this.decodeCount++;
    if (this.aliasDepth > 0) this.aliasCount++;
    if (this.aliasCount <= 100 || this.decodeCount <= 1000) return;
    if (this.aliasCount / this.decodeCount > allowedAliasRatio(this.decodeCount)) {
      throw new YamlError('yaml: document contains excessive aliasing');
    }
  }

  private node(): JsonTree {
    this.count();
    const event = this.peek();
    switch (event.type) {
      case EVENT_SCALAR:
        return this.scalarTree(event);
      case EVENT_ALIAS:
        return this.alias(event);
      case EVENT_MAPPING:
        return this.anchored(event, () => this.mapping());
      case EVENT_SEQUENCE:
        return this.anchored(event, () => this.sequence());
      default:
        throw new Error('not a node'); // the parser nests events properly
    }
  }

  private anchored(event: Event, read: () => JsonTree): JsonTree {
    const name = this.anchorOf(event);
    if (name === undefined) return read();
    this.anchors.set(name, this.position);
    this.open.add(name);
    const tree = read();
    this.open.delete(name);
    return tree;
  }

  private anchorOf(event: Event): string | undefined {
    if (!('anchorStart' in event) || event.anchorStart === -1) return undefined;
    return this.text.slice(event.anchorStart, event.anchorEnd);
  }

  private alias(event: Event): JsonTree {
    const name = this.anchorOf(event) ?? '';
    const target = this.anchors.get(name);
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${name}' referenced`);
    if (this.open.has(name)) throw new YamlError(`yaml: anchor '${name}' value contains itself`);
    const after = this.position + 1;
    this.position = target;
    this.open.add(name);
    this.aliasDepth++;
    const tree = this.unanchored(() => this.node());
    this.aliasDepth--;
    this.open.delete(name);
    this.position = after;
    return tree;
  }

  /** Reads the target of an alias, whose own anchor must not be opened again. */
  private unanchored(read: () => JsonTree): JsonTree {
    const open = [...this.open];
    const tree = read();
    for (const name of open) this.open.add(name);
    return tree;
  }

  private sequence(): JsonTree[] {
    const items: JsonTree[] = [];
    this.position++;
    while (this.peek().type !== EVENT_POP) items.push(this.node());
    this.position++;
    return items;
  }

  private mapping(): JsonMembers {
    const entries = new Map<string, Entry>();
    this.position++;
    while (this.peek().type !== EVENT_POP) {
      const keyStart = startOf(this.peek());
      const key = this.key();
      if (key === undefined) {
        this.merge(entries);
        continue;
      }
      // An absent value stands on the line of its key.
      const start = Math.max(startOf(this.peek()), keyStart);
      const value = this.node();
      if (key.id === nilKey) {
        const shown = goSyntax(value);
        this.deferred ??= new YamlError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown}`);
      }
      if (entries.has(key.id))
        this.duplicates.push(`line ${this.lines.lineAt(start)}: key ${key.id} already set in map`);
      entries.set(key.id, { key: key.text, value });
    }
    this.position++;
    return members(entries);
  }

  /** The key as the reference prints it and as JSON has it; undefined for a merge key. */
  private key(): { id: string; text: string } | undefined {
    this.count();
    const event = this.peek();
    if (event.type !== EVENT_SCALAR) return keyOf(event.type === EVENT_ALIAS ? this.alias(event) : this.node());
    if (event.style === SCALAR_STYLE_PLAIN && this.scalar(event).text === '<<') {
      this.position++;
      return undefined;
    }
    return keyOf(this.scalarTree(event));
  }

  private merge(entries: Map<string, Entry>): void {
    const merged = this.node();
    // A sequence is merged from its end, so that earlier mappings win.
    for (const tree of Array.isArray(merged) ? [...merged].reverse() : [merged]) {
      if (!(tree instanceof JsonMembers))
        throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
      for (const [i, key] of tree.keys.entries()) {
        entries.set(goQuote(key), { key, value: tree.values[i] ?? null });
      }
    }
  }

  private scalarTree(event: Event & { type: typeof EVENT_SCALAR }): JsonTree {
    const name = this.anchorOf(event);
    if (name !== undefined) this.anchors.set(name, this.position);
    this.position++;
    const { value, text } = this.scalar(event);
    switch (value.type) {
      case 'null':
        return null;
      case 'bool':
        return value.value;
      case 'int':
        return new JsonNumber(value.text);
      case 'float':
        if (!Number.isFinite(value.value)) {
          this.deferred ??= new YamlError(`json: unsupported value: ${infinityText(value.value)}`);
        }
        return new JsonNumber(numberText(value.value));
      default:
        return text;
    }
  }

  private scalar(event: Event & { type: typeof EVENT_SCALAR }): { value: ScalarValue; text: string } {
    const text = getScalarValue(this.text, event);
    const tag = event.tagStart === -1 ? '' : shortTag(this.text.slice(event.tagStart, event.tagEnd));
    if (tag === '' && event.style === SCALAR_STYLE_PLAIN) return { value: resolveScalar(text), text };
    if (tag === '!!binary') return { value: { type: 'str' }, text: binaryText(text) };
    const wanted = taggedTypes[tag];
    if (wanted === undefined) return { value: { type: 'str' }, text };
    return { value: tagged(resolveScalar(text), wanted, { text, tag }), text };
  }
}

const ratioLow = 400_000;
const ratioHigh = 4_000_000;

/** The share of a document that may come from aliases: 99 % of a small one, 10 % of a large one. */
function allowedAliasRatio(decodeCount: number): number {
  if (decodeCount <= ratioLow) return 0.99;
  if (decodeCount >= ratioHigh) return 0.1;
  return 0.99 - 0.89 * ((decodeCount - ratioLow) / (ratioHigh - ratioLow));
}

/** Scalar types that a tag may ask for. */
const taggedTypes: { readonly [tag: string]: ScalarValue['type'] } = {
  '!!bool': 'bool',
  '!!int': 'int',
  '!!float': 'float',
  '!!null': 'null',
};

function shortTag(tag: string): string {
  const long = 'tag:yaml.org,2002:';
  const plain = tag.replace(/^!<(.*)>$/, '$1');
  return plain.startsWith(long) ? `!!${plain.slice(long.length)}` : plain;
}

function tagged(value: ScalarValue, wanted: ScalarValue['type'], from: { text: string; tag: string }): ScalarValue {
  if (value.type === wanted) return value;
  if (wanted === 'float' && value.type === 'int') return { type: 'float', value: Number(value.text) };
  throw new YamlError(`yaml: cannot decode !!${value.type} \`${from.text}\` as a ${from.tag}`);
}

function binaryText(text: string): string {
  const plain = text.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(plain)) {
    throw new YamlError('yaml: !!binary value contains invalid base64 data');
  }
  return Buffer.from(plain, 'base64').toString('utf8');
}

const nilKey = '<nil>';

function keyOf(tree: JsonTree): { id: string; text: string } {
  if (typeof tree === 'string') return { id: goQuote(tree), text: tree };
  if (tree instanceof JsonNumber) return { id: tree.text, text: tree.text };
  if (typeof tree === 'boolean') return { id: String(tree), text: String(tree) };
  if (tree === null) return { id: nilKey, text: nilKey };
  throw new YamlError(`yaml: invalid map key: ${goSyntax(tree)}`);
}

/** A value as Go's `%#v` prints it. */
function goSyntax(tree: JsonTree, inside = false): string {
  if (tree === null) return inside ? 'interface {}(nil)' : '<nil>';
  if (typeof tree === 'string') return goQuote(tree);
  if (tree instanceof JsonNumber) return tree.text;
  if (typeof tree === 'boolean') return String(tree);
  if (Array.isArray(tree)) return `[]interface {}{${tree.map((item) => goSyntax(item, true)).join(', ')}}`;
  const pairs = tree.keys.map((key, i) => `${goQuote(key)}:${goSyntax(tree.values[i] ?? null, true)}`);
  return `map[interface {}]interface {}{${pairs.join(', ')}}`;
}

function members(entries: ReadonlyMap<string, Entry>): JsonMembers {
  const byKey = new Map([...entries.values()].map(({ key, value }) => [key, value]));
  const keys = [...byKey.keys()].sort(compareBytewise);
  return new JsonMembers(
    keys,
    keys.map((key) => byKey.get(key) ?? null),
  );
}

function infinityText(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/** Offset where a node starts: its content, since tags and anchors belong to the same event. */
function startOf(event: Event): number {
  for (const key of ['tagStart', 'anchorStart'] as const) {
    const start = key in event ? (event as { [name in typeof key]: number })[key] : -1; // read only where it exists
    if (start !== -1) return start;
  }
  if ('valueStart' in event) return event.valueStart;
  return 'start' in event ? event.start : 0;
}
