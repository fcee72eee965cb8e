import { expect, test } from 'vitest';
import { Metric, ObservableMetric } from '../api/metrics/metric.ts';
import { StoreMetrics } from './store-metrics.ts';

const pods = { group: '', resource: 'pods' };

function open() {
  const all: Metric[] = [];
  const metrics = new StoreMetrics((definition, read) => {
    const metric = read === undefined ? new Metric(definition) : new ObservableMetric(definition, read);
    all.push(metric);
    return metric;
  });
  const shown = (name: string): readonly string[] => {
    const metric = all.find(({ definition }) => definition.name === name);
    return [...(metric?.values ?? [])].map(({ labels, value }) => `${Object.values(labels).join(' ')}: ${value}`);
  };
  return { metrics, all, shown };
}

test('requests are counted by operation and resource', () => {
  const { metrics, shown } = open();
  const use = metrics.of(pods);
  use.called('create', 0.25, false);
  use.called('create', 0.5, true);
  metrics.of({ group: 'apps', resource: 'deployments' }).called('get', 1, false);
  expect(shown('etcd_request_duration_seconds')).toEqual([' create pods: 0.75', 'apps get deployments: 1']);
  expect(shown('etcd_requests_total')).toEqual([' create pods: 2', 'apps get deployments: 1']);
  expect(shown('etcd_request_errors_total')).toEqual([' create pods: 1']);
});

test('lists are counted by where they were read, those from the store with their duration', () => {
  const { metrics, shown } = open();
  const use = metrics.of(pods);
  use.listed({ from: 'cache', fetched: 5, returned: 2, seconds: 1 });
  use.listed({ from: 'store', fetched: 7, returned: 3, seconds: 2 });
  expect(shown('apiserver_storage_list_total')).toEqual(['  pods watchcache: 1', '  pods etcd: 1']);
  expect(shown('apiserver_storage_list_fetched_objects_total')).toEqual(['  pods watchcache: 5', '  pods etcd: 7']);
  expect(shown('apiserver_storage_list_evaluated_objects_total')).toEqual([' pods watchcache: 0', ' pods etcd: 7']);
  expect(shown('apiserver_storage_list_returned_objects_total')).toEqual([' pods watchcache: 2', ' pods etcd: 3']);
  expect(shown('apiserver_storage_list_duration_seconds')).toEqual([' pods false: 2']);
});

test('watch caches are measured, and their watches by version', () => {
  const { metrics, all, shown } = open();
  const use = metrics.of({ group: 'apps', resource: 'deployments' });
  use.filled(0.25);
  use.notFilled();
  use.waited(0.5);
  use.readLatest(true);
  use.readLatest(true);
  use.readLatest(false);
  use.dispatched(0.002, 3);
  use.dispatched(1, 2);
  const watches = use.watches({ group: 'extensions', version: 'v1beta1', resource: 'deployments' });
  watches.sent(1024);
  watches.sent(1025);
  watches.listed('namespace', 1.5);
  const cache = 'apiserver_watch_cache';
  expect(shown(`${cache}_initialization_duration_seconds`)).toEqual(['apps deployments: 0.25']);
  expect(shown(`${cache}_initialization_errors_total`)).toEqual(['apps deployments: 1']);
  expect(shown(`${cache}_read_wait_seconds`)).toEqual(['apps deployments: 0.5']);
  expect(shown(`${cache}_consistent_read_total`)).toEqual([
    'false apps deployments true: 2',
    'false apps deployments false: 1',
  ]);
  expect(shown('apiserver_watch_events_dispatch_duration_seconds')).toEqual(['apps deployments total: 2.006']);
  expect(shown('apiserver_watch_events_total')).toEqual(['extensions deployments v1beta1: 2']);
  expect(shown('apiserver_watch_events_sizes')).toEqual(['extensions deployments v1beta1: 2049']);
  expect(shown('apiserver_watch_list_duration_seconds')).toEqual(['extensions deployments namespace v1beta1: 1.5']);
  const countsOf = (name: string) => [...(all.find(({ definition }) => definition.name === name)?.values ?? [])];
  expect(countsOf('apiserver_watch_events_dispatch_duration_seconds')).toMatchObject([
    { count: 5, bucketCounts: [0, 0, 0, 3, 3, 3, 3, 3, 3, 3, 5, 5, 5] },
  ]);
  expect(countsOf('apiserver_watch_events_sizes')).toMatchObject([
    { count: 2, bucketCounts: [1, 2, 2, 2, 2, 2, 2, 2] },
  ]);
});

test('the series of a resource end with it, whatever its last requests do', () => {
  const { metrics, all } = open();
  const use = metrics.of(pods);
  const watches = use.watches({ ...pods, version: 'v1' });
  const everything = (): void => {
    use.called('delete', 1, true);
    use.received(2);
    use.progressed();
    use.unreadable();
    use.filled(1);
    use.notFilled();
    use.waited(1);
    for (const succeeded of [true, false]) use.readLatest(succeeded);
    use.dispatched(1, 1);
    watches.sent(1);
    watches.listed('cluster', 1);
    for (const from of ['cache', 'store'] as const) use.listed({ from, fetched: 1, returned: 1, seconds: 1 });
  };
  const empty = (): readonly string[] =>
    all.filter(({ values }) => [...values].length === 0).map(({ definition }) => definition.name);
  everything();
  expect(empty()).toEqual([]);
  metrics.forget(pods);
  everything();
  expect(empty()).toHaveLength(all.length);
  expect(metrics.of(pods)).not.toBe(use);
});
