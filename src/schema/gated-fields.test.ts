import { expect, test } from 'vitest';
import type { JsonObject } from '../api/json/json.ts';
import { dropGatedFields } from './gated-fields.ts';
import { resolveFeatureGates } from './kubernetes/feature-gates.ts';
import { fieldsOff } from './kubernetes/gated-fields.ts';
import { builtInResources } from './kubernetes/resources.ts';

const release = '1.37';

function dropperOf(plural: string, gates: { readonly [gate: string]: boolean } = {}) {
  const { schema } = builtInResources().find((each) => each.plural === plural) ?? {};
  if (schema === undefined) throw new Error(`no ${plural}`);
  return dropGatedFields(schema, fieldsOff(resolveFeatureGates(new Map(Object.entries(gates)), release)));
}

function pod(...mounts: readonly JsonObject[]): JsonObject {
  const containers = mounts.map((mount) => ({ name: 'c', volumeMounts: [{ name: 'v', ...mount }] }));
  return { kind: 'Pod', spec: { containers } };
}

const gated = { bindMountOptions: ['nodev'] };

test('fields of disabled gates are dropped at any depth', () => {
  const object = pod({}, gated);
  dropperOf('pods')?.(object);
  expect(object).toEqual(pod({}, {}));
});

test('fields of enabled gates stay', () => {
  const object = pod(gated);
  dropperOf('pods', { VolumeBindMountOptions: true })?.(object);
  expect(object).toEqual(pod(gated));
});

test('gates used in the old object may be used again, anywhere', () => {
  const object = pod(gated, {});
  dropperOf('pods')?.(object, pod({}, gated));
  expect(object).toEqual(pod(gated, {}));
});

test('kinds without such fields have nothing to drop', () => {
  expect(dropperOf('configmaps')).toBeUndefined();
});

test('objects left empty are dropped too, and cross-namespace references as a whole', () => {
  const lifecycle = { stopSignal: 'SIGTERM' };
  const hooks = { preStop: { httpGet: { port: 80, protocol: 'HTTP2' }, sleep: { seconds: 1 } }, ...lifecycle };
  const object: JsonObject = { spec: { containers: [{ lifecycle }, { lifecycle: hooks }] } };
  dropperOf('pods')?.(object);
  const kept = { preStop: { httpGet: { port: 80 }, sleep: { seconds: 1 } } };
  expect(object).toEqual({ spec: { containers: [{}, { lifecycle: kept }] } });
  const claim: JsonObject = { spec: { dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'a', namespace: 'b' } } };
  dropperOf('persistentvolumeclaims')?.(claim);
  expect(claim).toEqual({ spec: {} });
});
