import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../api/time/clock.ts';
import { Metric } from '../../api/metrics/metric.ts';
import { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import { catalogueOf } from '../../catalogue/testdata/catalogue-of.ts';
import { builtInResources } from '../../schema/kubernetes/resources.ts';
import { openEmbeddedStorage } from '../../storage/embedded/engine.ts';
import { StoreMetrics } from '../../scopes/store-metrics.ts';
import { ResourceScopes } from '../../scopes/resource-scopes.ts';
import { SharedReader } from './shared-reader.ts';

const storage = await openEmbeddedStorage({ dataDir: undefined });
const scopes = new ResourceScopes(new LiveCatalogue(catalogueOf(builtInResources())), {
  storage,
  format: { encoding: 'json', schemaOf: () => undefined },
  prefix: '/registry',
  namesUnreadable: true,
  clock: systemClock,
  metrics: new StoreMetrics((definition) => new Metric(definition)),
});
afterAll(async () => {
  scopes[Symbol.dispose]();
  await storage[Symbol.asyncDispose]();
});

async function put(name: string, keys: number): Promise<void> {
  const data = Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, 'a']));
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, namespace: 'n', uid: name }, data };
  const value = Buffer.from(JSON.stringify(object));
  await storage.put({ key: `/registry/configmaps/n/${name}`, value, expectedModRevision: 0 });
}

test('objects are decoded once for all who hold them', async () => {
  await put('small', 10);
  const reader = new SharedReader(scopes);
  const { items } = await reader.unread.list({ group: '', version: 'v1', resource: 'configmaps', namespace: '' });
  const [small] = items;
  expect(small?.metadata.uid).toBe('small');
  expect(small?.read()).not.toBeInstanceOf(Promise);
  expect(small?.read()).toBe(small?.read());
});

test('what does not mention a text is absent', async () => {
  for (const name of ['first', 'second']) await put(name, 1);
  const collection = { group: '', version: 'v1', resource: 'configmaps', namespace: '' };
  const mentioning = new SharedReader(scopes).mentioning('second');
  const { items, resourceVersion } = await mentioning.list(collection);
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['second']);
  const stop = new AbortController();
  const received: string[] = [];
  const watching = mentioning.watch(collection, { resourceVersion, signal: stop.signal });
  for (const name of ['third', 'second-too']) await put(name, 1);
  for await (const { object } of watching) {
    received.push(object.metadata.name ?? '');
    stop.abort();
  }
  expect(received).toEqual(['second-too']);
});
