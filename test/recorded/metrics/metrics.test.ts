import { expect, test } from 'vitest';
import { configDefaults } from '../../../src/server/config.ts';
import { asAlone, startTestServer } from '../../server-fixture.ts';
import { readFields } from '../recording.ts';
import { limits, playMetrics } from './play.ts';
import { playRequests } from './play-requests.ts';
import { playRules } from './play-rules.ts';

type Played = Awaited<ReturnType<typeof playMetrics>>;

/** Metrics of stores and watch caches of which only the reference has series. */
const absent: { readonly [name: string]: string } = {
  etcd_lease_object_counts: 'the embedded store has no leases; those of etcd are counted in test/etcd',
  apiserver_storage_list_duration_seconds: 'the lists of this test are read from watch caches, those at the start too',
  watch_cache_capacity: 'the history has no buffer of a capacity: age, number and size of changes limit it',
  watch_cache_capacity_increase_total: 'see watch_cache_capacity',
  watch_cache_capacity_decrease_total: 'see watch_cache_capacity',
  apiserver_storage_consistency_checks_total: 'caches are not compared with the store',
  apiserver_cache_list_total: 'hidden since 1.37, like the next two; apiserver_storage_list_total includes it',
  apiserver_cache_list_fetched_objects_total: 'see apiserver_cache_list_total',
  apiserver_cache_list_returned_objects_total: 'see apiserver_cache_list_total',
  etcd_bookmark_counts: 'hidden since 1.36; it is etcd_bookmark_total',
};

test('metrics of admission, certificates, health and watches, and their limits, are those of the reference', async () => {
  const metrics = {
    ...configDefaults.metrics,
    disabled: limits.disabled,
    allowedLabels: new Map(Object.entries(limits.allowed)),
  };
  await using server = await startTestServer({}, {}, { config: { ...asAlone, metrics } });
  const { shapes, ...values } = await playMetrics(server);
  const { shapes: expectedShapes, ...expectedValues } = readFields<Played>('metrics', 'metrics');
  expect(values).toEqual(expectedValues);
  const present = Object.entries(expectedShapes).filter(([name]) => !(name in absent));
  expect(shapes).toMatchObject(Object.fromEntries(present));
  expect(Object.keys(absent).filter((name) => name in shapes)).toEqual([]);
});

test('requests are counted when, and as what, the reference counts them', async () => {
  const authorization = { ...configDefaults.authorization, modes: ['RBAC'] as const };
  await using server = await startTestServer({}, {}, { config: { ...asAlone, authorization } });
  expect(await playRequests(server)).toEqual(readFields('metrics', 'requests'));
});

// When a definition begins to be served, the reference compiles all rules and counts every part of the schema; here the
// rules of a part are compiled when it first occurs.
test('rules of custom resources are counted when the reference counts them', async () => {
  await using server = await startTestServer({}, {}, { config: asAlone });
  expect(await playRules(server)).toEqual(readFields('metrics', 'rules'));
});
