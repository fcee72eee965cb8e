import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import type { Step } from '../differential/scenario.ts';
import type { RecordedKind } from '../defaults/kinds.ts';
import { recordedKinds } from '../defaults/kinds.ts';
import { Random } from '../../../tools/random-objects/repeatable-random.ts';
import { vary } from '../defaults/vary.ts';

/**
 * Kinds of many shapes: lists with one or several keys, sets, atomic lists and maps, two versions, schemaless parts.
 */
const chosen: readonly string[] = [
  'configmaps.v1.',
  'pods.v1.',
  'services.v1.',
  'nodes.v1.',
  'deployments.v1.apps',
  'statefulsets.v1.apps',
  'daemonsets.v1.apps',
  'ingresses.v1.networking.k8s.io',
  'networkpolicies.v1.networking.k8s.io',
  'horizontalpodautoscalers.v1.autoscaling',
  'horizontalpodautoscalers.v2.autoscaling',
  'cronjobs.v1.batch',
  'roles.v1.rbac.authorization.k8s.io',
  'serviceaccounts.v1.',
];

const stepsPerSequence = 15;
const managers: readonly string[] = ['m1', 'm2', 'm3', 'm4', 'm5'];

export function chosenKinds(): readonly RecordedKind[] {
  return recordedKinds().filter(({ label }) => chosen.includes(label));
}

/**
 * Writes of one object by several managers, determined by `seed`: applies, forced or not, updates, patches, statuses,
 * scales.
 */
export function sequenceOf(kind: RecordedKind, seed: number): readonly Step[] {
  const random = new Random(seed);
  const name = `s${seed}`;
  const { schema } = kind.resource;
  const base = { ...kind.sample, metadata: { name } };
  const variants = Array.from({ length: 3 }, () => withoutRanges(vary(random, base, schema)));
  const collection = kind.path.replace('?dryRun=All', '');
  const path = `${collection}/${name}`;
  const context = { random, kind, variants: [base, ...variants], path };
  const steps = Array.from({ length: stepsPerSequence }, (_, index) => ({
    ...writeOf(context),
    name: `step ${index}`,
  }));
  return [
    ...steps,
    { name: 'get', method: 'GET', path },
    { name: 'delete', method: 'DELETE', path: `${path}?gracePeriodSeconds=0` },
  ];
}

/** Random pod CIDRs are invalid, which is irrelevant to updates of nodes here. */
function withoutRanges(object: JsonObject): JsonObject {
  const { spec } = object;
  if (!isJsonObject(spec) || (spec['podCIDRs'] ?? spec['podCIDR']) === undefined) return object;
  const { podCIDRs: _podCIDRs, podCIDR: _podCIDR, ...others } = spec;
  return { ...object, spec: others };
}

interface Context {
  readonly random: Random;
  readonly kind: RecordedKind;
  readonly variants: readonly JsonObject[];
  readonly path: string;
}

const mergeType = 'application/merge-patch+json';
const applyType = 'application/apply-patch+yaml';

function writeOf({ random, kind, variants, path }: Context): Omit<Step, 'name'> {
  const manager = random.pick(managers) ?? '';
  const variant = random.pick(variants) ?? {};
  const query = `?fieldManager=${manager}`;
  const choice = random.next();
  if (choice < 0.12) return { method: 'PUT', path: `${path}${query}`, body: withLabels(random, variant) };
  if (choice < 0.25) {
    const { apiVersion: _apiVersion, kind: _kind, ...body } = prune(random, withLabels(random, variant), 0.3);
    return { method: 'PATCH', path: `${path}${query}`, contentType: mergeType, body };
  }
  if (choice < 0.33 && hasSubresource(kind, 'status')) {
    const status = { conditions: [{ type: 'Ready', status: random.chance(0.5) ? 'True' : 'False' }] };
    return { method: 'PATCH', path: `${path}/status${query}`, contentType: mergeType, body: { status } };
  }
  if (choice < 0.4 && hasSubresource(kind, 'scale')) {
    const body = { spec: { replicas: random.below(4) } };
    return { method: 'PATCH', path: `${path}/scale${query}`, contentType: mergeType, body };
  }
  const force = random.chance(0.5) ? '&force=true' : '';
  const body = prune(random, withLabels(random, variant), random.pick([0.9, 0.7, 1]) ?? 1);
  return { method: 'PATCH', path: `${path}${query}${force}`, contentType: applyType, body };
}

function hasSubresource({ resource }: RecordedKind, name: string): boolean {
  return resource.subresources.some((subresource) => subresource.name === name);
}

/** With a few labels, annotations and finalizers that managers are bound to share. */
function withLabels(random: Random, object: JsonObject): JsonObject {
  const metadata: JsonObject = { ...(isJsonObject(object['metadata']) ? object['metadata'] : {}) };
  for (const field of ['labels', 'annotations']) {
    if (random.chance(0.5)) continue;
    const entries = ['a', 'b', 'c'].filter(() => random.chance(0.5)).map((key) => [key, String(random.below(2))]);
    metadata[field] = Object.fromEntries(entries) as JsonObject;
  }
  return { ...object, metadata };
}

/** Part of an object: a random selection of its fields; the identifying ones always stay. */
function prune(random: Random, object: JsonObject, chance: number): JsonObject {
  const { apiVersion = null, kind = null, metadata = null, ...rest } = object;
  return { apiVersion, kind, metadata, ...pruned(random, rest, chance) };
}

function pruned(random: Random, object: JsonObject, chance: number): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const isKey = ['name', 'key', 'type', 'port', 'containerPort', 'mountPath', 'ip'].includes(key);
    if (!isKey && !random.chance(chance)) continue;
    const part = prunedValue(random, value, chance);
    // Empty maps are dropped here on decoding; the reference distinguishes them from absent ones.
    if (isJsonObject(part) && Object.keys(part).length === 0 && isJsonObject(value) && Object.keys(value).length > 0)
      continue;
    kept[key] = part;
  }
  return kept;
}

function prunedValue(random: Random, value: JsonValue, chance: number): JsonValue {
  if (Array.isArray(value)) return value.map((item) => prunedValue(random, item, chance));
  return isJsonObject(value) ? pruned(random, value, chance) : value;
}
