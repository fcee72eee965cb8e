import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { StepResponse } from './script.ts';

const uid = /(?!0{8}-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Scripts use times of earlier years, and uids that begin with zeros. */
const time = /20(?:2[5-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?:Z|\+00:00)/g;
const version =
  /((?:resourceVersion\\*":\\*"|[Rr]esourceVersion(?: in (?:record|the precondition) \(| in object meta: |: ))|(?:current|resource version): )(\d{3,12})\b/g;
const randomName = /\b(gen-[\w -]*?-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;
const address = /\b10\.0\.0\.(?!1\b|10\b)\d+\b/g;

const shortened: readonly (readonly [pattern: RegExp, text: string])[] = [
  [randomName, '$1<random>'],
  [/\bhash=[0-9A-F]{128}\b/g, 'hash=<hash>'],
  [/\bX509SHA256=[0-9a-f]{64}/g, '<certificate>'],
  [/^\d+[smhd](\d+[smh])?$/, '<age>'],
  // Scripts use times of earlier years; 292 years is the longest duration.
  [/(?<=^|\()(?!292y)\d+y(?:\d+d)?(?=$| ago\)$)/, '<years>'],
  // They also count what other scripts write.
  [/(Too large resource version: \d+, current: )[\w.]+/g, '$1<current>'],
  [/(too old resource version: \d+ \()\d+\)/g, '$1<first>)'],
  [/\b(?:kubernetes-)?admin\b/g, '<admin>'],
  [/\bselfType\d+/g, 'selfType<n>'],
  // Each build of a program that uses protobuf has one or two blanks there.
  [/(\btype_url:"[^"]*") {2}/g, '$1 '],
  // Addresses in Go's memory.
  [/(?<!lo:|hi:)\b0x(?:[0-9a-f]{10,13}|[0-9a-f]{7})\b/g, '<address>'],
  // In the order of their times.
  [/"managedFields\\":\[\{.*?\}\]/g, '"managedFields\\":<owners>'],
];

/** Errors of the members of a map, which come in the random order of Go's maps. */
const memberErrors = /(?<=\berrors:\n)(?: {2}\..*(?:\n|$))+/g;

function sortedLines(lines: string): string {
  return lines.split('\n').toSorted().join('\n');
}

/** Fields whose texts are random, or our own wording. */
const variable: ReadonlySet<string> = new Set(['continue', 'token', 'description', 'serverAddress']);

/**
 * Gives what differs between equivalent servers a name by its first appearance in a script: the first uid that the
 * answer to its twelfth step shows is `uid12.1` on every server, and so wherever it appears.
 */
export class Normalizer {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  #step = 0;

  answer({ code, headers, body }: StepResponse): StepResponse {
    this.#step += 1;
    this.#counts.clear();
    const named = Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? this.#text(value) : value.map((each) => this.#text(each)),
    ]);
    return { code, headers: Object.fromEntries(named) as StepResponse['headers'], body: this.#value(body) };
  }

  #value(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    if (!isJsonObject(value)) return value;
    const all = withShortMessage(withoutPlace(value));
    const entries = Object.keys(all)
      .toSorted()
      .map((key) => [key, this.#field(key, all[key] ?? null)]);
    return Object.fromEntries(entries) as JsonObject;
  }

  #field(key: string, value: JsonValue): JsonValue {
    if (variable.has(key) && typeof value === 'string' && value !== '') return `<${key}>`;
    if (key === 'resourceVersion' && typeof value === 'string' && /^\d{3,12}$/.test(value))
      return this.#name('rv', value);
    if (/^(?:nodePort|healthCheckNodePort)$/.test(key) && typeof value === 'number') return nodePort(value);
    const inner = this.#value(value);
    return unordered.has(key) && Array.isArray(inner) ? inner.toSorted(byText) : inner;
  }

  #text(text: string): string {
    const named = text
      .replace(uid, (found) => this.#name('uid', found))
      .replace(time, (_, fraction: string | undefined) => (fraction === undefined ? '<time>' : '<microtime>'))
      .replace(version, (_, before: string, found: string) => `${before}${this.#name('rv', found)}`)
      .replace(address, '<ip>');
    const short = shortened.reduce((current, [pattern, replacement]) => current.replace(pattern, replacement), named);
    return short.replace(memberErrors, sortedLines);
  }

  #name(prefix: string, value: string): string {
    const known = this.#names.get(`${prefix} ${value}`);
    if (known !== undefined) return known;
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    const name = `${prefix}${this.#step}.${count}`;
    this.#names.set(`${prefix} ${value}`, name);
    return name;
  }
}

/** The server chooses others than the first of the range, which scripts ask for. */
function nodePort(value: number): JsonValue {
  return value > 30_085 && value < 32_768 ? '<port>' : value;
}

function withShortMessage(value: JsonObject): JsonObject {
  const { kind, message, details } = value;
  if (kind !== 'Status' || typeof message !== 'string') return value;
  return { ...value, message: shortMessage(message, isJsonObject(details) ? details['causes'] : undefined) };
}

/** The resource versions of collections and bookmarks also count what other scripts write. */
function withoutPlace(value: JsonObject): JsonObject {
  const { metadata, type, object } = value;
  if (type === 'BOOKMARK' && isJsonObject(object) && isJsonObject(object['metadata'])) {
    return { ...value, object: { ...object, metadata: withoutVersion(object['metadata']) } };
  }
  return isCollection(value) && isJsonObject(metadata) ? { ...value, metadata: withoutVersion(metadata) } : value;
}

function isCollection({ kind, items, rows }: JsonObject): boolean {
  return Array.isArray(items) || Array.isArray(rows) || (typeof kind === 'string' && kind.endsWith('List'));
}

function withoutVersion({ resourceVersion, ...others }: JsonObject): JsonObject {
  return { ...others, resourceVersion: resourceVersion === '' || resourceVersion === undefined ? null : '<list>' };
}

/**
 * Entries of owners are ordered by time, in whole seconds; errors of properties, and rules of several bindings, come in
 * the random order of Go's maps.
 */
const unordered: ReadonlySet<string> = new Set(['managedFields', 'causes', 'resourceRules', 'nonResourceRules']);

/** Without the errors that are causes as well, and those of which the reference finds a random part. */
function shortMessage(message: string, causes: JsonValue | undefined): string {
  const begun = /^failed to create typed patch object \([^)]*\)/.exec(message)?.[0];
  if (begun !== undefined) return `${begun}: ...`;
  return Array.isArray(causes) && causes.length > 1 ? message.replace(/: \[.*\]$/s, ': [...]') : message;
}

function byText(a: JsonValue, b: JsonValue): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
