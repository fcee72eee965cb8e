import { int64Problem } from '../api/go/go-integer.ts';
import { goPrint } from '../api/json/go-print.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import { compareBytewise, encodeAny, sortedKeys } from '../api/json/json-text.ts';
import { plainOf } from '../api/json/json-tree.ts';
import { TextCache } from '../api/text/text-cache.ts';
import { parseJson } from '../codec/json.ts';
import { compareValues } from './values.ts';

/**
 * One element of a field path, as written in managedFields keys. Canonical: equal elements are equal strings.
 *
 *   f:replicas                                a field, or a map key
 *   k:{"containerPort":80,"protocol":"TCP"}   an item of a map list, by its key fields sorted by name
 *   v:"example.com/protect"                   an item of a set, by its value
 *   i:3                                       an item by its index
 */
export type PathElement = string;

/** From the outermost field inward. */
export type FieldPath = readonly PathElement[];

/** Thrown for malformed path elements. */
export class FieldPathError extends Error {
  readonly code = 'FIELD_PATH';
}

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** `fields` holds the values of the key fields. */
export function keyElement(fields: Readonly<JsonObject>): PathElement {
  return `k:${encodeAny(fields)}`;
}

export function valueElement(value: JsonValue): PathElement {
  return `v:${encodeAny(value)}`;
}

export function indexElement(index: number): PathElement {
  return `i:${index}`;
}

/** The field name of an `f:` element; undefined for list items. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/** The key field names of a `k:` element; empty for other elements. */
export function keyNamesOf(element: PathElement): readonly string[] {
  const content = element.startsWith('k:') ? contentOf(element) : null;
  return isJsonObject(content) ? Object.keys(content) : [];
}

/** Parsed values of elements, needed for ordering; the same elements occur in many objects. */
const contents = new TextCache<JsonValue>(256 * 1024);

function contentOf(element: PathElement): JsonValue {
  return contents.remember(element, parseContent);
}

function parseContent(element: PathElement): JsonValue {
  try {
    const source = parseJson(Buffer.from(element.slice(2)));
    return source.faithful ? source.value : plainOf(source.tree());
  } catch (error) {
    throw new FieldPathError(`invalid JSON in path element ${element}`, { cause: error });
  }
}

/** Canonical forms of elements that were written differently. */
const canonical = new TextCache<PathElement>(256 * 1024);

/** Parses a managedFields key; undefined for unknown element kinds, which are skipped. */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new FieldPathError('key must be 2 characters long:');
  if (text[1] !== ':') throw new FieldPathError(`missing colon: ${text}`);
  switch (text[0]) {
    case 'f':
      return text;
    case 'i':
      if (int64Problem(text.slice(2)) !== undefined) throw new FieldPathError(`invalid index: ${text}`);
      return indexElement(Number(text.slice(2)));
    case 'k':
    case 'v':
      return canonical.remember(text, canonicalText);
    default:
      return undefined;
  }
}

function canonicalText(text: string): PathElement {
  const content = parseContent(text);
  if (text.startsWith('v:')) return valueElement(content);
  if (!isJsonObject(content)) throw new FieldPathError(`path element is not an object: ${text}`);
  return keyElement(content);
}

const ranks: { readonly [kind: string]: number } = { f: 0, k: 1, v: 2, i: 3 };

type StepContents = (element: PathElement) => JsonValue;

/** `comparePathElements` for more elements than the cache of parsed values can hold. */
export function comparisonOfMany(): (a: PathElement, b: PathElement) => number {
  const known = new Map<PathElement, JsonValue>();
  const contentsOf: StepContents = (element) => {
    let content = known.get(element);
    if (content === undefined) known.set(element, (content = parseContent(element)));
    return content;
  };
  return (a, b) => comparePathElements(a, b, contentsOf);
}

/** Orders fields first, then items by key, by value and by index. */
export function comparePathElements(a: PathElement, b: PathElement, contentsOf: StepContents = contentOf): number {
  if (a === b) return 0;
  const [kind, other] = [a.charAt(0), b.charAt(0)];
  if (kind !== other) return (ranks[kind] ?? 4) - (ranks[other] ?? 4);
  if (kind === 'f') return compareBytewise(a, b);
  if (kind === 'i') return Number(a.slice(2)) - Number(b.slice(2));
  const [left, right] = [contentsOf(a), contentsOf(b)];
  return kind === 'k' && isJsonObject(left) && isJsonObject(right)
    ? compareKeys(left, right)
    : compareValues(left, right);
}

function compareKeys(a: JsonObject, b: JsonObject): number {
  const [left, right] = [sortedKeys(a), sortedKeys(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [name = '', other = ''] = [left[i], right[i]];
    const order = compareBytewise(name, other) || compareValues(a[name] ?? null, b[other] ?? null);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** A path as shown in messages: `.spec.containers[name="web"].image`. */
export function formatPath(path: FieldPath): string {
  return path.map(formatPathElement).join('');
}

export function formatPathElement(element: PathElement): string {
  if (element.startsWith('f:')) return `.${element.slice(2)}`;
  if (element.startsWith('i:')) return `[${element.slice(2)}]`;
  const content = contentOf(element);
  if (element.startsWith('v:') || !isJsonObject(content)) return `[=${formatValue(content)}]`;
  const fields = Object.keys(content).map((name) => `${name}=${formatValue(content[name] ?? null)}`);
  return `[${fields.join(',')}]`;
}

function formatValue(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`;
  if (isJsonObject(value)) {
    return Object.keys(value)
      .map((key) => `${key}=${formatValue(value[key] ?? null)}`)
      .join('');
  }
  return value === null ? 'null' : goPrint(value);
}

/** Adds a key field for `keyElement`. */
export function addKeyField(fields: JsonObject, name: string, value: JsonValue): void {
  setOwn(fields, name, value);
}
