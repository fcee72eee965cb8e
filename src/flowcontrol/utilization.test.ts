import { expect, test } from 'vitest';
import { Metric } from '../api/metrics/metric.ts';
import { Utilization } from './utilization.ts';

test('what is read includes the time up to now', () => {
  const metrics: Metric[] = [];
  let nowMs = 0;
  const make = (definition: Metric['definition']): Metric => {
    const metric = new Metric(definition);
    metrics.push(metric);
    return metric;
  };
  const utilization = new Utilization(make, () => nowMs);
  const changed = utilization.observer('a');
  changed({ waiting: 0, executing: 1, seatsInUse: 2, seatsWaiting: 0 }, 1);
  utilization.executing.readOnly.add(1, 1);
  nowMs = 3;
  const read = (name: string, wanted: { readonly [label: string]: string }): readonly [number, number][] =>
    [...(metrics.find(({ definition }) => definition.name === `apiserver_flowcontrol_${name}`)?.values ?? [])]
      .filter(({ labels }) => Object.entries(wanted).every(([label, value]) => labels[label] === value))
      .map(({ value, count }) => [value, count]);
  const nanos = 1_000_000;
  expect(read('demand_seats', { priority_level: 'a' })).toEqual([[4 * nanos, 3 * nanos]]);
  expect(read('priority_level_request_utilization', { phase: 'executing' })).toEqual([[2 * nanos, 3 * nanos]]);
  expect(read('read_vs_write_current_requests', { phase: 'executing', request_kind: 'readOnly' })).toEqual([
    [2 * nanos, 3 * nanos],
  ]);
  nowMs = 4;
  expect(read('demand_seats', { priority_level: 'a' })).toEqual([[6 * nanos, 4 * nanos]]);
});
