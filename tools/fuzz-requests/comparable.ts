import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import { read } from '../compare-requests/forms.ts';

const uid = /(?!0{8}-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /20(?:2[5-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g;
const version =
  /((?:resourceVersion\\*":\\*"|[Rr]esourceVersion(?: in (?:record|the precondition) \(| in object meta: |: ))|(?:current|resource version): )(\d{2,12})\b/g;

const masks: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/\b(gen-|[a-z\d.-]*-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1<random>'],
  [/\b10\.0\.0\.(?!1\b|10\b)\d+\b/g, '<ip>'],
  [/^\d+[smhd](\d+[smh])?$/, '<age>'],
  [/\b(?:kubernetes-)?admin\b/g, '<admin>'],
  [/\bX509SHA256=[0-9a-f]{64}/g, '<certificate>'],
  [/(too old resource version: \d+ \()\d+\)/g, '$1<first>)'],
  [/(Too large resource version: )\w+(, current: )[\w.]+/g, '$1<version>$2<current>'],
  [/(failed to create typed patch object \([^)]*\)).*/s, '$1: ...'],
  [/\bhash=[0-9A-F]{128}\b/g, 'hash=<hash>'],
  [/(\btype_url:"[^"]*") {2}/g, '$1 '],
  [/\bselfType\d+/g, 'selfType<n>'],
  [/"managedFields\\*":\[\{.*?\}\](?=\\*[,}])/g, '"managedFields":<owners>'],
];

const variable: ReadonlySet<string> = new Set([
  'continue',
  'token',
  'description',
  'serverAddress',
  'serverAddressByClientCIDRs',
  'clientCIDR',
  'gitCommit',
  'goVersion',
  'compiler',
  'buildDate',
]);

/** Entries of owners are in the order of their times; errors of properties and rules come in that of Go's maps. */
const unordered: ReadonlySet<string> = new Set(['managedFields', 'causes', 'resourceRules', 'nonResourceRules']);

/** Gives what differs between servers a name by its first appearance in a play. */
export class Comparable {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #space: string;

  constructor(space: string) {
    this.#space = space;
  }

  /** The body as text; fields stay in their order. */
  body(bytes: Buffer, contentType: string): string {
    const signed = contentType.includes('json')
      ? Buffer.from(bytes.toString().replaceAll(/(?<=[:[,])-0(?=[,}\]])/g, '"(-0)"'))
      : bytes;
    return JSON.stringify(this.#value(read(signed, contentType))) ?? '';
  }

  text(text: string): string {
    const named = text
      .replace(uid, (found) => this.#name('uid', found))
      .replace(time, '<time>')
      .replace(version, (_, before: string, found: string) => `${before}${this.#name('rv', found)}`);
    return masks
      .reduce((current, [pattern, shown]) => current.replace(pattern, shown), named)
      .replaceAll(this.#space, '<space>');
  }

  #value(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    if (!isJsonObject(value)) return value;
    const all = withShortMessage(withoutPlace(value));
    return Object.fromEntries(
      Object.keys(all).map((key) => [this.text(key), this.#field(key, all[key] ?? null)]),
    ) as JsonObject;
  }

  #field(key: string, value: JsonValue): JsonValue {
    if (variable.has(key) && value !== '') return `<${key}>`;
    if (key === 'resourceVersion' && typeof value === 'string' && /^\d{2,12}$/.test(value))
      return this.#name('rv', value);
    if (/^(?:nodePort|healthCheckNodePort)$/.test(key) && typeof value === 'number')
      return value > 30_085 && value < 32_768 ? '<port>' : value;
    const inner = this.#value(value);
    return unordered.has(key) && Array.isArray(inner) ? inner.toSorted(byText) : inner;
  }

  #name(prefix: string, value: string): string {
    const known = this.#names.get(`${prefix} ${value}`);
    if (known !== undefined) return known;
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    this.#names.set(`${prefix} ${value}`, `${prefix}${count}`);
    return `${prefix}${count}`;
  }
}

/** Errors of several fields are causes as well, and those of maps come in the random order of Go's maps. */
function withShortMessage(value: JsonObject): JsonObject {
  const { message, details } = value;
  const causes = isJsonObject(details) ? details['causes'] : undefined;
  if (typeof message !== 'string' || !Array.isArray(causes) || causes.length < 2) return value;
  return { ...value, message: message.replace(/: \[.*\]$/s, ': [...]') };
}

/** The resource versions of collections and bookmarks also count what others write. */
function withoutPlace(value: JsonObject): JsonObject {
  const { metadata, type, object } = value;
  if (type === 'BOOKMARK' && isJsonObject(object) && isJsonObject(object['metadata'])) {
    return { ...value, object: { ...object, metadata: withoutVersion(object['metadata']) } };
  }
  return isCollection(value) && isJsonObject(metadata) ? { ...value, metadata: withoutVersion(metadata) } : value;
}

function isCollection({ kind, items, rows }: JsonObject): boolean {
  return (
    Array.isArray(items) || items === null || Array.isArray(rows) || (typeof kind === 'string' && kind.endsWith('List'))
  );
}

function withoutVersion(metadata: JsonObject): JsonObject {
  return {
    ...metadata,
    resourceVersion:
      metadata['resourceVersion'] === undefined ? null : metadata['resourceVersion'] === '' ? '' : '<list>',
  };
}

function byText(a: JsonValue, b: JsonValue): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
