import { expect, test } from 'vitest';
import { Measure, ReadMeasure } from '../api/measure.ts';
import { StoreMeasures } from './store-measures.ts';

const pods = { group: '', resource: 'pods' };

function open() {
  const all: Measure[] = [];
  const measures = new StoreMeasures((definition, read) => {
    const measure = read === undefined ? new Measure(definition) : new ReadMeasure(definition, read);
    all.push(measure);
    return measure;
  });
  const told = (name: string): readonly string[] => {
    const measure = all.find(({ definition }) => definition.name === name);
    return [...(measure?.values ?? [])].map(({ labels, value }) => `${Object.values(labels).join(' ')}: ${value}`);
  };
  return { measures, all, told };
}

test('requests are counted by operation and resource', () => {
  const { measures, told } = open();
  const use = measures.of(pods);
  use.called('create', 0.25, false);
  use.called('create', 0.5, true);
  measures.of({ group: 'apps', resource: 'deployments' }).called('get', 1, false);
  expect(told('etcd_request_duration_seconds')).toEqual([' create pods: 0.75', 'apps get deployments: 1']);
  expect(told('etcd_requests_total')).toEqual([' create pods: 2', 'apps get deployments: 1']);
  expect(told('etcd_request_errors_total')).toEqual([' create pods: 1']);
});

test('lists are counted by where they were read, those from the store with their duration', () => {
  const { measures, told } = open();
  const use = measures.of(pods);
  use.listed({ from: 'cache', fetched: 5, returned: 2, seconds: 1 });
  use.listed({ from: 'store', fetched: 7, returned: 3, seconds: 2 });
  expect(told('apiserver_storage_list_total')).toEqual(['  pods watchcache: 1', '  pods etcd: 1']);
  expect(told('apiserver_storage_list_fetched_objects_total')).toEqual(['  pods watchcache: 5', '  pods etcd: 7']);
  expect(told('apiserver_storage_list_evaluated_objects_total')).toEqual([' pods watchcache: 0', ' pods etcd: 7']);
  expect(told('apiserver_storage_list_returned_objects_total')).toEqual([' pods watchcache: 2', ' pods etcd: 3']);
  expect(told('apiserver_storage_list_duration_seconds')).toEqual([' pods false: 2']);
});

test('the series of a resource end with it, whatever its last requests do', () => {
  const { measures, all } = open();
  const use = measures.of(pods);
  const everything = (): void => {
    use.called('delete', 1, true);
    use.received(2);
    use.progressed();
    use.unreadable();
    for (const from of ['cache', 'store'] as const) use.listed({ from, fetched: 1, returned: 1, seconds: 1 });
  };
  const empty = (): readonly string[] =>
    all.filter(({ values }) => [...values].length === 0).map(({ definition }) => definition.name);
  everything();
  expect(empty()).toEqual([]);
  measures.forget(pods);
  everything();
  expect(empty()).toHaveLength(all.length);
  expect(measures.of(pods)).not.toBe(use);
});
