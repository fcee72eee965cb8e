import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { Form } from '../compare-requests/script.ts';
import { oddValue, plausibleValue } from '../compare-kinds/values.ts';
import { changed, placesIn, type Target, targetsOf } from '../compare-kinds/writes.ts';
import { pick, type Random } from '../random-objects/random.ts';
import type { PlayedVersion } from './kinds.ts';

/** A body, and how it is sent. */
export interface RandomBody {
  readonly body: unknown;
  readonly form: Form;
  readonly contentType?: string;
}

export function targetOf({ base }: PlayedVersion, subresource = ''): Target | undefined {
  const targets = targetsOf(base).filter((target) => target.subresource === subresource);
  return targets.find(({ verb }) => verb === 'update') ?? targets[0];
}

/** The object with a few other values; now and then with an unusual one. */
export function varied(random: Random, object: JsonObject, target: Target | undefined): JsonObject {
  if (target === undefined) return object;
  const places = placesIn(target).filter(({ path: [first] }) => first !== 'metadata' || random() < 0.1);
  if (places.length === 0) return object;
  let made = object;
  for (let left = Math.floor(random() * 3); left > 0; left -= 1) {
    const place = pick(random, places);
    made = changed(made, place, random() < 0.75 ? plausibleValue(random, place) : oddValue(random, place));
  }
  return made;
}

function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

const oddMetadata: readonly ((metadata: JsonObject) => JsonObject)[] = [
  (metadata) => ({ ...metadata, labels: { app: 'y', 'a/b': '' } }),
  (metadata) => ({ ...metadata, annotations: { a: 'b' } }),
  (metadata) => ({ ...metadata, finalizers: ['example.com/held'] }),
  (metadata) => ({ ...metadata, ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' }] }),
  (metadata) => ({ ...metadata, uid: '{{uid}}' }),
  (metadata) => ({ ...metadata, uid: 'other' }),
  (metadata) => ({ ...metadata, resourceVersion: '{{version}}' }),
  (metadata) => ({ ...metadata, resourceVersion: '0' }),
  (metadata) => ({ ...metadata, resourceVersion: 'x' }),
  (metadata) => ({ ...metadata, managedFields: [] }),
  (metadata) => ({ ...metadata, managedFields: [{}] }),
  (metadata) => ({ ...metadata, generation: 7, creationTimestamp: '2020-01-01T00:00:00Z' }),
  (metadata) => ({ ...metadata, deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 3 }),
  (metadata) => ({ ...metadata, selfLink: '/x' }),
  (metadata) => ({ ...metadata, namespace: 'other' }),
  (metadata) => ({ ...metadata, name: 'B_' }),
  (metadata) => ({ ...without(metadata, 'name'), generateName: 'gen-' }),
  (metadata) => without(metadata, 'name'),
  (metadata) => without(metadata, 'namespace'),
];

const oddObjects: readonly ((object: JsonObject) => JsonObject)[] = [
  (object) => without(object, 'kind'),
  (object) => without(object, 'apiVersion'),
  (object) => without(object, 'kind', 'apiVersion'),
  (object) => ({ ...object, kind: 'Other' }),
  (object) => ({ ...object, apiVersion: 'v9' }),
  (object) => ({ ...object, apiVersion: 'a/b/c' }),
  (object) => ({ ...object, apiVersion: 5 }),
  (object) => ({ ...object, unknown: 1, spec: { ...(isJsonObject(object['spec']) ? object['spec'] : {}), other: {} } }),
  (object) => ({ ...object, metadata: null }),
  (object) => ({ ...object, metadata: [] }),
  (object) => ({ ...object, spec: null }),
  (object) => ({ ...object, spec: 'x' }),
  (object) => ({ ...object, status: {} }),
  (object) => ({ apiVersion: 'v1', kind: 'List', items: [object] }),
];

export function withOddities(random: Random, object: JsonObject): JsonObject {
  let made = object;
  if (random() < 0.25 && isJsonObject(made['metadata']))
    made = { ...made, metadata: pick(random, oddMetadata)(made['metadata']) };
  return random() < 0.08 ? pick(random, oddObjects)(made) : made;
}

const oddTexts: readonly ((text: string) => string)[] = [
  (text) => text.slice(0, -1),
  (text) => `${text} x`,
  (text) => `${text}${text}`,
  (text) => ` \n${text}\n`,
  (text) => `[${text}]`,
  (text) => text.replace('{', '{"kind":"Twice",'),
  (text) => text.replace('"metadata":{', '"metadata":{"labels":{"app":"1","app":"2"},"name":"a",'),
  (text) => text.replaceAll(/:(\d+)/g, ':$1.0'),
  (text) => text.replaceAll(/:(\d+)/g, ':"$1"'),
  (text) =>
    text.replaceAll(
      /:"([^"]*)"/g,
      (_, inner: string) =>
        `:"${[...inner].map((c) => (c < '{' ? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}` : c)).join('')}"`,
    ),
  () => '',
  () => 'null',
  () => '{}',
  () => '[]',
  () => '"x"',
  () => '5',
  () => '{"a":',
  (text) => `\uFEFF${text}`,
  (text) => text.replace('"metadata"', '"Metadata"'),
];

const wrongTypes = [
  '',
  'text/plain',
  'application/yaml',
  'application/json; charset=utf-8',
  'application/JSON',
  'application/vnd.kubernetes.protobuf',
  'x',
  'application/merge-patch+json',
  'application/cbor',
  'multipart/form-data',
];

/** How a body of a write is sent: mostly as JSON. */
export function sentBody(random: Random, object: JsonObject, forms: readonly Form[]): RandomBody {
  const chance = random();
  if (chance < 0.06) return { body: pick(random, oddTexts)(JSON.stringify(object)), form: 'json' };
  if (chance < 0.09) return { body: object, form: 'json', contentType: pick(random, wrongTypes) };
  return { body: object, form: chance < 0.7 ? 'json' : pick(random, forms) };
}

/** A patch that sets some values, as its type writes them. */
export function chainOf(random: Random, target: Target): JsonObject {
  const places = placesIn(target).filter(({ path: [first] }) => first !== 'metadata');
  let made: JsonObject = {};
  for (let left = 1 + Math.floor(random() * 2); left > 0 && places.length > 0; left -= 1) {
    const place = pick(random, places);
    const value = random() < 0.7 ? plausibleValue(random, place) : random() < 0.5 ? null : oddValue(random, place);
    made = changed(made, place, value);
  }
  if (random() < 0.3) made = { ...made, metadata: randomPatchOfMetadata(random) };
  return made;
}

function randomPatchOfMetadata(random: Random): JsonObject {
  return pick<JsonObject>(random, [
    { labels: { app: null } },
    { labels: { app: 'z', b: 'c' } },
    { labels: null },
    { annotations: { a: 'c' } },
    { annotations: { a: 5 } },
    { finalizers: ['example.com/held'] },
    { finalizers: null },
    { $deleteFromPrimitiveList: 5 },
    { '$deleteFromPrimitiveList/finalizers': ['example.com/held'] },
    { labels: { $patch: 'replace', n: 'm' } },
    { labels: { $patch: 'delete' } },
    { labels: { $retainKeys: ['app'], app: 'q' } },
    { resourceVersion: '{{version}}' },
    { resourceVersion: '1' },
    { resourceVersion: '' },
    { uid: 'other' },
    { name: 'other' },
    { namespace: 'other' },
    { managedFields: [{}] },
    { managedFields: [] },
    { managedFields: null },
    { generateName: 'x-' },
    { deletionTimestamp: '2020-01-01T00:00:00Z' },
    { generation: 100 },
    { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' }] },
    { ownerReferences: [{ $patch: 'delete', uid: 'u' }] },
  ]);
}

const pointers = [
  '/metadata/labels/app',
  '/metadata/labels',
  '/metadata/annotations/a',
  '/metadata/name',
  '/spec',
  '/spec/x',
  '/data/a',
  '/metadata/finalizers/0',
  '/metadata/finalizers/-',
  '',
  '/',
  'x',
  '/metadata/labels/a~1b',
  '/metadata/resourceVersion',
  '/kind',
  '/metadata/managedFields',
  '/metadata/managedFields/0',
  '/status',
  '/spec/containers/0/image',
  '/spec/containers/-',
  '/spec/containers/01',
  '/spec/replicas',
  '/spec/template/spec/containers/0/name',
  '/subsets/0',
  '/rules/0',
  '/rules/-',
];
const patchedValues: readonly JsonValue[] = [
  'x',
  {},
  [],
  null,
  5,
  { app: 'w' },
  'img:2',
  [{ name: 'c', image: 'i' }],
  true,
  ['example.com/held'],
];

export function operationsOf(random: Random): JsonValue {
  const operation = (): JsonObject => {
    const op = pick(random, ['add', 'add', 'add', 'replace', 'replace', 'remove', 'test', 'copy', 'move', 'x']);
    return {
      op,
      path: pick(random, pointers),
      ...(/copy|move/.test(op) ? { from: pick(random, pointers) } : {}),
      ...(/remove|copy|move/.test(op) ? {} : { value: pick(random, patchedValues) }),
    };
  };
  return Array.from({ length: 1 + Math.floor(random() * 2) }, operation);
}
