import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import type { Random } from '../random-objects/repeatable-random.ts';
import { group, kindOf, type RandomVersion } from './random-definition.ts';

/** A request that every server gets alike. */
export interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonValue;
  readonly contentType?: string;
  readonly accept?: string;
  /** The body is what a GET of this path returns, changed by this. */
  readonly edit?: (object: JsonObject) => JsonObject;
}

const names = ['one', 'two', 'three'];
const merge = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';

interface Target {
  readonly plural: string;
  readonly version: RandomVersion;
  /** The names of all versions that there have been. */
  readonly versionNames: readonly string[];
}

export function collectionOf(plural: string, version: string): string {
  return `/apis/${group}/${version}/namespaces/default/${plural}`;
}

type Make = (random: Random, target: Target) => RandomRequest;

const table: readonly (readonly [weight: number, make: Make])[] = [
  [6, create],
  [4, get],
  [2, list],
  [1, tableOf],
  [1, selected],
  [1, watched],
  [1, partial],
  [6, mergePatched],
  [3, jsonPatched],
  [4, put],
  [7, applied],
  [3, statusWritten],
  [2, scaled],
  [2, owners],
  [1, idle],
  [1, deleted],
];

export function randomRequest(random: Random, target: Target): RandomRequest {
  const total = table.reduce((sum, [weight]) => sum + weight, 0);
  let at = random.next() * total;
  const row = table.find(([weight]) => (at -= weight) < 0);
  return (row?.[1] ?? get)(random, target);
}

function one(random: Random, { plural, version }: Target): string {
  return `${collectionOf(plural, version.name)}/${random.pick(names)}`;
}

function manager(random: Random): string {
  return `fieldManager=${random.pick(['m1', 'm2', 'm3'])}`;
}

function create(random: Random, target: Target): RandomRequest {
  const { plural, version } = target;
  const name = random.pick(names) ?? '';
  const dry = random.chance(0.15) ? '&dryRun=All' : '';
  const body = instance(target, name, { spec: randomSpec(random), status: randomStatus(random) });
  return { method: 'POST', path: `${collectionOf(plural, version.name)}?${manager(random)}${dry}`, body };
}

function get(random: Random, target: Target): RandomRequest {
  return { method: 'GET', path: one(random, target) };
}

function list(random: Random, { plural, version }: Target): RandomRequest {
  const path = collectionOf(plural, version.name);
  return { method: 'GET', path: random.chance(0.5) ? path : `${path}?resourceVersion=0` };
}

function tableOf(_: Random, { plural, version }: Target): RandomRequest {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  return { method: 'GET', path: collectionOf(plural, version.name), accept };
}

function partial(random: Random, target: Target): RandomRequest {
  const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
  return { method: 'GET', path: one(random, target), accept };
}

function selected(random: Random, { plural, version }: Target): RandomRequest {
  const value = random.pick(['x', 'y', 'av1', '']) ?? '';
  return { method: 'GET', path: `${collectionOf(plural, version.name)}?fieldSelector=spec.a%3D${value}` };
}

function watched(_: Random, { plural, version }: Target): RandomRequest {
  return { method: 'WATCH', path: `${collectionOf(plural, version.name)}?watch=1&timeoutSeconds=1` };
}

function mergePatched(random: Random, target: Target): RandomRequest {
  const body = random.chance(0.3)
    ? { metadata: { labels: { l: random.pick(['x', 'y']) ?? '' } } }
    : { spec: withNulls(random, randomSpec(random)) };
  const dry = random.chance(0.1) ? '&dryRun=All' : '';
  return { method: 'PATCH', path: `${one(random, target)}?${manager(random)}${dry}`, body, contentType: merge };
}

function jsonPatched(random: Random, target: Target): RandomRequest {
  const field = random.pick(Object.keys(randomSpec(random))) ?? 'a';
  const path = `/spec/${field}`;
  const value = randomSpec(random)[field] ?? 'x';
  const op =
    random.pick<JsonObject>([
      { op: 'add', path, value },
      { op: 'replace', path, value },
      { op: 'remove', path },
      { op: 'test', path, value },
    ]) ?? {};
  return { method: 'PATCH', path: `${one(random, target)}?${manager(random)}`, body: [op], contentType: jsonPatch };
}

/** An update as clients do it: of what they have read. */
function put(random: Random, target: Target): RandomRequest {
  const spec = randomSpec(random);
  const isWhole = random.chance(0.4);
  const isIdle = random.chance(0.2);
  const edit = (object: JsonObject): JsonObject => {
    const before = (object['spec'] ?? {}) as JsonObject;
    return isIdle ? object : { ...object, spec: isWhole ? spec : { ...before, ...spec } };
  };
  return { method: 'PUT', path: `${one(random, target)}?${manager(random)}`, edit };
}

function applied(random: Random, target: Target): RandomRequest {
  const path = one(random, target);
  const spec = random.chance(0.9) ? knownOf(target, randomSpec(random)) : randomSpec(random);
  const body = instance(target, path.slice(path.lastIndexOf('/') + 1), { spec });
  const force = random.chance(0.7) ? '&force=true' : '';
  return { method: 'PATCH', path: `${path}?${manager(random)}${force}`, body, contentType: apply };
}

/** The fields that the version has. */
function knownOf({ version: { schema } }: Target, fields: JsonObject): JsonObject {
  const { spec } = schema['properties'] as { spec: { properties: JsonObject } };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in spec.properties));
}

function statusWritten(random: Random, target: Target): RandomRequest {
  const path = one(random, target);
  const status = randomStatus(random);
  const to = `${path}/status?${manager(random)}`;
  if (random.chance(0.3))
    return { method: 'PUT', path: to, edit: (object) => ({ ...object, status, spec: { a: 'ignored' } }) };
  if (random.chance(0.4)) {
    const body = instance(target, path.slice(path.lastIndexOf('/') + 1), { status });
    return { method: 'PATCH', path: `${to}&force=true`, body, contentType: apply };
  }
  return { method: 'PATCH', path: to, body: { status, metadata: { labels: { s: 'y' } } }, contentType: merge };
}

function scaled(random: Random, target: Target): RandomRequest {
  const path = `${one(random, target)}/scale`;
  const replicas = random.below(4);
  if (random.chance(0.3)) return { method: 'GET', path };
  if (random.chance(0.4))
    return { method: 'PUT', path: `${path}?${manager(random)}`, edit: (object) => ({ ...object, spec: { replicas } }) };
  return { method: 'PATCH', path: `${path}?${manager(random)}`, body: { spec: { replicas } }, contentType: merge };
}

/** Writes of managedFields. */
function owners(random: Random, target: Target): RandomRequest {
  const path = one(random, target);
  const part = random.pick(['', '', '', '/status', '/scale']) ?? '';
  const value = randomOwners(random, target);
  const to = `${path}${part}?${manager(random)}`;
  switch (random.below(4)) {
    case 0:
      return {
        method: 'PUT',
        path: to,
        edit: (object) => ({ ...object, metadata: { ...(object['metadata'] as JsonObject), managedFields: value } }),
      };
    case 1: {
      const body = [{ op: 'replace', path: '/metadata/managedFields', value }];
      return { method: 'PATCH', path: to, body, contentType: jsonPatch };
    }
    case 2: {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const body = instance(target, name, {}, { managedFields: value });
      return part !== '' || random.chance(0.5)
        ? { method: 'PATCH', path: `${to}&force=true`, body, contentType: apply }
        : { method: 'POST', path: `${collectionOf(target.plural, target.version.name)}?${manager(random)}`, body };
    }
    default:
      return { method: 'PATCH', path: to, body: { metadata: { managedFields: value } }, contentType: merge };
  }
}

function randomOwners(random: Random, { versionNames }: Target): JsonValue {
  const choice = random.next();
  if (choice < 0.2) return [];
  if (choice < 0.35) return [{}];
  if (choice < 0.45) return null;
  const apiVersion =
    random.pick([...versionNames.map((name) => `${group}/${name}`), `${group}/v9`, 'v1', 'apps/v1']) ?? '';
  const fieldsV1 = { 'f:spec': { 'f:a': {} } };
  return [
    { manager: 'm9', operation: random.pick(['Update', 'Apply']) ?? '', apiVersion, fieldsType: 'FieldsV1', fieldsV1 },
  ];
}

function idle(random: Random, target: Target): RandomRequest {
  return { method: 'PATCH', path: `${one(random, target)}?${manager(random)}`, body: {}, contentType: merge };
}

function deleted(random: Random, target: Target): RandomRequest {
  return { method: 'DELETE', path: one(random, target) };
}

function instance(
  { plural, version }: Target,
  name: string,
  fields: JsonObject,
  metadata: JsonObject = {},
): JsonObject {
  return { apiVersion: `${group}/${version.name}`, kind: kindOf(plural), metadata: { name, ...metadata }, ...fields };
}

function randomStatus(random: Random): JsonObject {
  const fields: JsonObject = { phase: random.pick(['p', 'q']) ?? '', s1: 's', s2: 's', replicas: random.below(3) };
  return someOf(random, fields, 0.5);
}

function randomSpec(random: Random): JsonObject {
  const item = (name: string): JsonObject => ({
    name,
    ...someOf(random, { v: random.pick(['v', 'w']) ?? '', w: 'z' }, 0.5),
  });
  const fields: JsonObject = {
    a: random.pick(['x', 'y', 'av1', 'bad', 'too long']) ?? '',
    only1: random.pick(['one', 'uno']) ?? '',
    only2: random.pick(['two', 'due']) ?? '',
    only3: 'three',
    d1: random.pick(['dv1', 'other']) ?? '',
    d: random.below(4),
    free: someOf(random, { x: 'x', y: 1, z: random.pick<JsonValue>(['z', { q: 1 }]) ?? null }, 0.6),
    items: ['i', 'j', 'k'].filter(() => random.chance(0.5)).map(item),
    n: random.pick<JsonValue>([1, 'n']) ?? null,
    nested: someOf(random, { b: 'b', c: 7 }, 0.5),
    words: someOf(random, { u: 'u', v: 'v' }, 0.6),
    replicas: random.below(5),
  };
  return someOf(random, fields, 0.35);
}

function withNulls(random: Random, fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, random.chance(0.15) ? null : value]));
}

function someOf(random: Random, fields: JsonObject, probability: number): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(() => random.chance(probability)));
}
