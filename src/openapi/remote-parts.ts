import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonValue } from '../api/json/json.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { RemoteVersion, SwaggerPart } from '../catalogue/remote-version.ts';

/** The versions of other servers with known schemas. */
export function remoteVersions({ groups }: Catalogue): readonly RemoteVersion[] {
  return groups.flatMap(({ versions }) =>
    versions.flatMap(({ remote }) => (remote?.openApi === undefined ? [] : remote)),
  );
}

/**
 * Parts of other servers beside those of this one. A definition that means something else than the one of the same name
 * gets another name, `NAME_v2`, as in the reference.
 */
export function besideOthers(own: readonly SwaggerPart[], remote: readonly SwaggerPart[]): SwaggerPart[] {
  const taken = new Map<string, string>();
  for (const { definitions } of own) for (const [name, text] of definitions) taken.set(name, text);
  const parts: SwaggerPart[] = [];
  for (const part of remote) {
    const names = namesFor(part, taken);
    const renamed = names.size === 0 ? part : withNames(part, names);
    for (const [name, text] of renamed.definitions) if (!taken.has(name)) taken.set(name, text);
    parts.push(renamed);
  }
  return parts;
}

/** New names of definitions, by their old ones. */
function namesFor({ definitions }: SwaggerPart, taken: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, text] of definitions) {
    const other = taken.get(name);
    if (other === undefined || meansTheSame(other, text)) continue;
    let number = 2;
    while (taken.has(`${name}_v${number}`) || definitions.has(`${name}_v${number}`)) number += 1;
    names.set(name, `${name}_v${number}`);
  }
  return names;
}

/** Descriptions differ between servers; everything else does not. */
function meansTheSame(a: string, b: string): boolean {
  return a === b || isDeepStrictEqual(outline(JSON.parse(a) as JsonValue), outline(JSON.parse(b) as JsonValue));
}

const incidental: ReadonlySet<string> = new Set(['description', 'x-kubernetes-group-version-kind']);

function outline(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(outline);
  if (!isJsonObject(value)) return value;
  // A property may have such a name; its schema is an object.
  const kept = Object.entries(value).filter(([key, each]) => !incidental.has(key) || isJsonObject(each));
  return Object.fromEntries(kept.map(([key, each]) => [key, outline(each)]));
}

function withNames({ paths, definitions, parameters }: SwaggerPart, names: ReadonlyMap<string, string>): SwaggerPart {
  const rewrite = (text: string): string =>
    text.replaceAll(/"\$ref":"#\/definitions\/([^"]*)"/g, (whole, name: string) => {
      const renamed = names.get(name);
      return renamed === undefined ? whole : `"$ref":"#/definitions/${renamed}"`;
    });
  return {
    paths: new Map([...paths].map(([path, text]) => [path, rewrite(text)])),
    definitions: new Map([...definitions].map(([name, text]) => [names.get(name) ?? name, rewrite(text)])),
    parameters,
  };
}
