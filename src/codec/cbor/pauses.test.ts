import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { finish, type Work } from '../../api/turns.ts';
import { schemaOfKind } from '../../schema/kubernetes/definitions.ts';
import type { Schema } from '../../schema/schema.ts';
import { decodeCbor, decodeFreeMap } from './decode.ts';
import { encodeCbor, encodeCborInTurns, encodeCborItem, encodeCborItemInTurns } from './encode.ts';
import { readTypeMeta } from './type-meta.ts';

function schemaOf(kind: string): Schema {
  const schema = schemaOfKind({ group: '', version: 'v1', kind });
  if (schema === undefined) throw new Error(`no ${kind}`);
  return schema;
}

/** The result of work, and how often it pauses. */
function counted<T>(work: Work<T>): { readonly result: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = work.next();
    if (step.done === true) return { result: step.value, pauses };
  }
}

const of = <T>(length: number, item: (index: number) => T): T[] => Array.from({ length }, (_, index) => item(index));
const mapOf = (length: number, value: JsonValue): JsonObject =>
  Object.fromEntries(of(length, (index) => [`k${index}`, value]));

/** More than 23 fields of the spec are set: their number is written in front of what was set aside. */
const pod: JsonObject = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'a', labels: mapOf(3_000, 'a'), managedFields: [{ manager: 'a', fieldsV1: mapOf(3_000, {}) }] },
  spec: {
    volumes: of(2_000, (n) => ({ name: `v${n}`, configMap: { items: [{ key: 'a', path: 'é'.repeat(20) }] } })),
    containers: of(2_000, (n) => ({ name: `c${n}`, args: of(3, String), env: [{ name: 'a', value: 'a'.repeat(50) }] })),
    initContainers: [{ name: 'long', args: ['é😀'.repeat(20_000)] }],
    ...{ restartPolicy: 'Always', terminationGracePeriodSeconds: 30, activeDeadlineSeconds: 5, dnsPolicy: 'Default' },
    ...{ nodeSelector: mapOf(30, ''), serviceAccountName: 'a', automountServiceAccountToken: false, nodeName: 'a' },
    ...{ hostNetwork: true, hostPID: true, hostIPC: true, shareProcessNamespace: true, securityContext: {} },
    ...{ imagePullSecrets: [{ name: 'a' }], hostname: 'a', subdomain: 'a', affinity: {}, schedulerName: 'a' },
    ...{ tolerations: of(3_000, () => ({})), hostAliases: [{ ip: '1.1.1.1' }], priorityClassName: 'a', priority: 1 },
    ...{ dnsConfig: {}, readinessGates: [{ conditionType: 'a' }], runtimeClassName: 'a', enableServiceLinks: true },
  },
  status: {},
};

test.each([['Pod'], [undefined]])('a large item of %s is written with pauses, in the same bytes', (kind) => {
  const schema = kind === undefined ? undefined : schemaOf(kind);
  for (const rotation of [0, 5]) {
    const { result, pauses } = counted(encodeCborInTurns(schema, pod, rotation));
    expect(result.equals(encodeCbor(schema, pod, rotation))).toBe(true);
    expect(pauses).toBeGreaterThan(result.length / 60_000);
  }
  const item = finish(encodeCborItemInTurns(schema, pod));
  expect(item.equals(encodeCborItem(schema, pod))).toBe(true);
});

test('others may write while an item is written', () => {
  const work = encodeCborInTurns(undefined, pod, 0);
  work.next();
  encodeCbor(undefined, [1, 2, 3]);
  finish(encodeCborInTurns(undefined, { ...pod, kind: 'B' }, 0));
  expect(finish(work).equals(encodeCbor(undefined, pod))).toBe(true);
});

test('a large body is read with pauses', () => {
  const bytes = encodeCbor(schemaOf('Pod'), pod);
  const atOnce = bytes.length / 12_000;
  const { result, pauses } = counted(decodeCbor(schemaOf('Pod'), bytes));
  // The order of fields is that of their encoding.
  expect(encodeCbor(schemaOf('Pod'), result.value).equals(bytes)).toBe(true);
  expect(pauses).toBeGreaterThan(atOnce);
  expect([...(result.hugeKeys?.values() ?? [])].map(({ length }) => length)).toEqual([3_000, 3_000]);
  const free = counted(decodeFreeMap(encodeCbor(undefined, pod)));
  expect(free.result).toEqual(pod);
  expect(free.pauses).toBeGreaterThan(atOnce);
  const meta = counted(readTypeMeta(bytes));
  expect(meta.result).toEqual({ apiVersion: 'v1', kind: 'Pod' });
  expect(meta.pauses).toBeGreaterThan(atOnce);
});

test('numbers, and keys in another order, are read with pauses', () => {
  const object = { numbers: of(200_000, () => 1), nested: { b: mapOf(20_000, [1, { c: null }]), a: 1.5 } };
  const reversed = { nested: { ...object.nested, b: Object.fromEntries(Object.entries(object.nested.b).reverse()) } };
  const { result, pauses } = counted(decodeFreeMap(encodeCbor(undefined, { ...object, ...reversed })));
  expect(result).toEqual(object);
  expect(pauses).toBeGreaterThan(50);
  const { b } = result['nested'] as { readonly b: JsonObject }; // as above
  expect(Object.keys(b)).toEqual(Object.keys(object.nested.b).sort());
});

test('duplicates are found, whether or not there is a pause between them', () => {
  for (const count of [10, 10_000]) {
    const list = encodeCborItem(
      undefined,
      of(count, () => 1),
    );
    const field = Buffer.concat([encodeCborItem(undefined, 'a'), list]);
    const twice = Buffer.concat([Buffer.of(0xa2), field, field]);
    expect(() => finish(decodeFreeMap(twice))).toThrow('found duplicate map key "a" at map element index 1');
  }
});
