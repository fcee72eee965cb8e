import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { encodeRaw } from '../api/json/json-text.ts';
import type { SwaggerPart } from '../catalogue/remote-version.ts';
import { DiscoveryError } from './advertised-discovery.ts';

/**
 * The part of an OpenAPI v2 document for paths with a prefix. Includes the definitions that these paths use, or no
 * definitions at all.
 */
export function swaggerPart(document: JsonValue, prefix: string): SwaggerPart {
  const named: Named = { definitions: section(document, 'definitions'), parameters: section(document, 'parameters') };
  const items = Object.entries(section(document, 'paths'));
  const kept = items.filter(([path]) => path.startsWith(prefix));
  const [used, everUsed] = [
    closureOf(
      kept.map(([, item]) => item),
      named,
    ),
    closureOf(
      items.map(([, item]) => item),
      named,
    ),
  ];
  const stays = (name: string): boolean => used.has(`definitions/${name}`) || !everUsed.has(`definitions/${name}`);
  return {
    paths: texts(kept),
    definitions: texts(Object.entries(named.definitions).filter(([name]) => stays(name))),
    parameters: texts(Object.entries(named.parameters).filter(([name]) => used.has(`parameters/${name}`))),
  };
}

interface Named {
  readonly definitions: JsonObject;
  readonly parameters: JsonObject;
}

function texts(entries: readonly (readonly [string, JsonValue])[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of entries) {
    found.set(name, encodeRaw(value));
  }
  return found;
}

/** Everything that values refer to, transitively. */
function closureOf(values: readonly JsonValue[], named: Named): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...values];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    for (const { kind, name } of references(value)) {
      const target = own(named[kind], name);
      if (target === undefined || found.has(`${kind}/${name}`)) continue;
      found.add(`${kind}/${name}`);
      open.push(target);
    }
  }
  return found;
}

function section(document: JsonValue, field: string): JsonObject {
  const found = isJsonObject(document) ? (document[field] ?? {}) : document;
  if (!isJsonObject(found)) throw new DiscoveryError(`${field} of the OpenAPI document is not an object`);
  return found;
}

function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

interface Reference {
  readonly kind: 'definitions' | 'parameters';
  readonly name: string;
}

/** All references in a value. */
function references(value: JsonValue): readonly Reference[] {
  const found: Reference[] = [];
  const open: JsonValue[] = [value];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each !== 'object' || each === null) continue;
    const ref = isJsonObject(each) ? each['$ref'] : undefined;
    if (typeof ref === 'string') found.push(...referencesIn(ref));
    for (const inner of Object.values(each)) if (typeof inner === 'object') open.push(inner);
  }
  return found;
}

function referencesIn(text: string): Reference[] {
  return (['definitions', 'parameters'] as const).flatMap((kind) => {
    const start = `#/${kind}/`;
    return text.startsWith(start) ? [{ kind, name: text.slice(start.length) }] : [];
  });
}

/** The OpenAPI v3 documents of a server, and their paths. */
export function documentsIn(index: JsonValue): ReadonlyMap<string, string> {
  const paths = section(index, 'paths');
  const urls = new Map<string, string>();
  for (const name of Object.keys(paths)) {
    const entry = paths[name];
    const url = isJsonObject(entry) ? entry['serverRelativeURL'] : undefined;
    if (typeof url === 'string') urls.set(name, url);
  }
  return urls;
}
