import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Catalogue } from '../../catalogue/catalogue.ts';
import { catalogueOf } from '../../catalogue/testdata/catalogue-of.ts';
import { systemClock } from '../../api/time/clock.ts';
import { WatchCache } from '../../watchcache/watch-cache.ts';
import { builtInResources } from '../../schema/kubernetes/resources.ts';
import { openEmbeddedStorage } from '../../storage/embedded/engine.ts';
import { textOfMetrics } from '../../metrics/exposition.ts';
import { storageMetrics } from './storage-metrics.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-metrics-'));
const storage = await openEmbeddedStorage({ dataDir: root });
afterAll(async () => {
  await storage[Symbol.asyncDispose]();
  await rm(root, { recursive: true });
});

function cacheOf(prefix: string): WatchCache {
  const readAttributes = () => ({ labels: {}, fields: {} });
  return new WatchCache({ storage, prefix, readAttributes, clock: systemClock });
}

const put = (key: string) => storage.put({ key, value: Buffer.from('{}'), expectedModRevision: 0 });

test('objects are counted by resource and the size is reported, both refreshed after their interval', async () => {
  let nowMs = 0;
  const counted = ['pods', 'deployments', 'services'];
  const catalogue = catalogueOf(builtInResources().filter(({ plural }) => counted.includes(plural)));
  let size = 1000;
  const pods = cacheOf('/registry/pods/');
  await pods.ready();
  const metrics = storageMetrics({
    store: { storage, sizeBytes: async () => size++ },
    served: () => catalogue,
    caches: () => [
      { group: '', resource: 'pods', cache: pods },
      { group: 'apps', resource: 'deployments', cache: cacheOf('/registry/deployments/') },
    ],
    prefix: '/registry',
    countIntervalMs: 60_000,
    sizeIntervalMs: 30_000,
    now: () => nowMs,
  });
  const lines = async (): Promise<string[]> =>
    (await textOfMetrics(metrics))
      .toString()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .sort();
  await put('/registry/pods/default/a');
  await put('/registry/deployments/default/a');
  await put('/registry/services/specs/default/a');
  await put('/registry/podsecurity/default/a');
  const first = await lines();
  expect(first).toEqual([
    'apiserver_resource_objects{group="",resource="pods"} 1',
    'apiserver_resource_objects{group="",resource="services"} 1',
    'apiserver_resource_objects{group="apps",resource="deployments"} 1',
    'apiserver_resource_size_estimate_bytes{group="",resource="pods"} 2',
    'apiserver_resource_size_estimate_bytes{group="",resource="services"} -1',
    'apiserver_resource_size_estimate_bytes{group="apps",resource="deployments"} -1',
    'apiserver_storage_objects{resource="deployments.apps"} 1',
    'apiserver_storage_objects{resource="pods"} 1',
    'apiserver_storage_objects{resource="services"} 1',
    'apiserver_storage_size_bytes{storage_cluster_id="etcd-0"} 1000',
  ]);
  await put('/registry/pods/default/b');
  nowMs = 29_999;
  expect(await lines()).toEqual(first);
  nowMs = 60_000;
  const later = await lines();
  expect(later).toContain('apiserver_storage_objects{resource="pods"} 2');
  expect(later).toContain('apiserver_resource_size_estimate_bytes{group="",resource="pods"} 4');
  expect(later).toContain('apiserver_storage_size_bytes{storage_cluster_id="etcd-0"} 1001');
});

test('failures are reported as -1, disabled metrics are absent', async () => {
  const metrics = storageMetrics({
    store: { storage, sizeBytes: () => Promise.reject(new Error('away')) },
    served: () => Catalogue.empty,
    caches: () => [],
    prefix: '/registry',
    countIntervalMs: 0,
    sizeIntervalMs: 1,
    now: () => 0,
  });
  const text = (await textOfMetrics(metrics)).toString();
  expect(text).toContain('apiserver_storage_size_bytes{storage_cluster_id="etcd-0"} -1');
  expect(text).not.toContain('objects');
});
