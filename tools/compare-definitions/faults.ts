import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { Random } from '../random-objects/random.ts';

type Path = readonly (string | number)[];

/** Replacements of a value; undefined removes it. */
const replacements: readonly ((value: JsonValue) => JsonValue | undefined)[] = [
  () => undefined,
  () => null,
  (value) => (typeof value === 'string' ? 17 : 'wrong'),
  (value) => (Array.isArray(value) ? [...value, ...value] : [value]),
  (value) => (isJsonObject(value) ? { ...value, unknown: true } : {}),
  (value) => (typeof value === 'string' ? `${value} \u00e4!` : typeof value === 'number' ? -value - 1 : ''),
  (value) => (typeof value === 'string' ? 'x'.repeat(5000) : typeof value === 'number' ? value + 0.25 : []),
  (value) => (typeof value === 'number' ? 9_007_199_254_740_991 : typeof value === 'boolean' ? !value : ''),
];

/** Copies of an object with one fault each at random places; some remain valid. */
export function faultyOnes(object: JsonObject, count: number, random: Random): readonly JsonObject[] {
  const places = [...placesIn(object, [])].filter(
    ([root]) => root !== 'metadata' && root !== 'apiVersion' && root !== 'kind',
  );
  if (places.length === 0) return [];
  return Array.from({ length: count }, () => {
    const place = places[Math.floor(random() * places.length)] ?? [];
    const replace = replacements[Math.floor(random() * replacements.length)] ?? ((value) => value);
    const copy = structuredClone(object);
    replaceAt(copy, place, replace);
    return copy;
  });
}

function* placesIn(value: JsonValue, path: Path): Generator<Path> {
  if (path.length > 0) yield path;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* placesIn(item, [...path, index]);
  } else if (isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) yield* placesIn(item, [...path, name]);
  }
}

function replaceAt(root: JsonObject, path: Path, replace: (value: JsonValue) => JsonValue | undefined): void {
  const last = path.at(-1) ?? '';
  // Objects and lists are both indexed by key here; the path exists in this object.
  let target = root as { [key: string | number]: JsonValue };
  for (const key of path.slice(0, -1)) target = target[key] as typeof target;
  const value = replace(target[last] ?? null);
  if (value === undefined && Array.isArray(target)) target.splice(Number(last), 1);
  else if (value === undefined) delete target[last];
  else target[last] = value;
}
