import { expect, test } from 'vitest';
import type { Client, Collection, ObjectReference } from '../api/client/client.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { notFound } from '../api/errors/status-errors.ts';
import type { ControllerContext } from './controller-context.ts';
import { controllersDefaults } from './controllers-config.ts';
import { LegacyTokenCleaner } from './legacy-token-cleaner.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const dayMs = 86_400_000;
const old = '2020-01-01T00:00:00Z';

function secret(name: string, labels = {}, creationTimestamp = old): KubernetesObject {
  const annotations = { 'kubernetes.io/service-account.name': 'robot', 'kubernetes.io/service-account.uid': 'u' };
  const metadata = { namespace: 'n', name, labels, annotations, creationTimestamp, resourceVersion: '7' };
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/service-account-token' };
}

const lastUsed = (day: string) => ({ 'kubernetes.io/legacy-token-last-used': day });
const invalidSince = (day: string) => ({ 'kubernetes.io/legacy-token-invalid-since': day });

/** What one look at these secrets writes; the account has generated all but `made-by-hand`. */
async function written(secrets: readonly KubernetesObject[], since = '2020-01-01'): Promise<readonly string[]> {
  const writes: string[] = [];
  const { promise: looked, resolve: look } = Promise.withResolvers<void>();
  const listed = secrets.map(({ metadata: { name = '' } }) => ({ name })).filter(({ name }) => name !== 'made-by-hand');
  const mounted = { containers: [], volumes: [{ name: 'v', secret: { secretName: 'mounted' } }] };
  const objects: { readonly [resource: string]: KubernetesObject } = {
    configmaps: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: { since } },
    serviceaccounts: {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'robot', uid: 'u' },
      secrets: listed,
    },
    pods: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n' }, spec: mounted },
  };
  const client: Pick<Client, 'get' | 'list' | 'update' | 'delete'> = {
    async get({ resource, name }: ObjectReference) {
      const object = objects[resource];
      if (object === undefined || since === 'never') throw notFound({ group: '', resource }, name);
      return object;
    },
    async list({ resource }: Collection) {
      if (resource === 'secrets') queueMicrotask(() => setImmediate(look));
      const items = resource === 'secrets' ? secrets : [objects[resource]].filter((each) => each !== undefined);
      return { items, resourceVersion: '9' };
    },
    async update(_resource, object) {
      writes.push(`${object.metadata.name} ${JSON.stringify(object.metadata.labels)}`);
      return object;
    },
    async delete({ name }, options) {
      writes.push(`delete ${name} ${options?.preconditions?.resourceVersion}`);
    },
  };
  const config = { ...controllersDefaults, legacyTokenCleanUpPeriodMs: 365 * dayMs };
  const clock = { now: () => now };
  // A part of the context is all that it uses.
  const context = { client, clock, config, onError: (error: unknown) => expect.unreachable(String(error)) };
  await using _cleaner = new LegacyTokenCleaner(context as unknown as ControllerContext);
  await Promise.race([looked, new Promise((resolve) => setTimeout(resolve, 100))]);
  return writes;
}

test('generated tokens that nobody has used for a year are marked, and a year later deleted', async () => {
  const marked = 'idle {"kubernetes.io/legacy-token-invalid-since":"2026-06-01"}';
  expect(await written([secret('idle')])).toEqual([marked]);
  expect(await written([secret('idle', lastUsed('2025-05-31'))])).toHaveLength(1);
  expect(await written([secret('idle', invalidSince('some day'))])).toEqual([marked]);
  expect(await written([secret('idle', invalidSince('2025-05-31'))])).toEqual(['delete idle 7']);
  expect(await written([secret('idle', invalidSince('2025-06-01'))])).toEqual([]);
});

test.for([
  ['used within a year', secret('a', lastUsed('2025-06-01'))],
  ['used at a time that cannot be read', secret('a', lastUsed('yesterday'))],
  ['new', secret('a', {}, '2026-01-01T00:00:00Z')],
  ['not generated', secret('made-by-hand')],
  ['mounted by a pod', secret('mounted')],
  ['of another type', { ...secret('a'), type: 'Opaque' }],
] as const)('%s: it stays', async ([, object]) => {
  expect(await written([object])).toEqual([]);
});

test('nothing is known of uses before they were noted for a year', async () => {
  expect(await written([secret('idle')], '2025-06-01')).toEqual([]);
  expect(await written([secret('idle')], '2025-05-31')).toHaveLength(1);
  expect(await written([secret('idle')], 'never')).toEqual([]);
});
