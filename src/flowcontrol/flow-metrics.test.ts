import { expect, test } from 'vitest';
import { Metric, type MetricLabels } from '../api/metrics/metric.ts';
import { FlowMetrics } from './flow-metrics.ts';

const labels = { priority_level: 'level', flow_schema: 'schema' };

test('what requests have in common is shown when metrics are read, and counted once', () => {
  const metrics = new Map<string, Metric>();
  const made = new FlowMetrics((definition) => {
    const metric = new Metric(definition);
    metrics.set(definition.name.replace('apiserver_flowcontrol_', ''), metric);
    return metric;
  });
  const read = (name: string): readonly unknown[] =>
    Array.from(metrics.get(name)?.values ?? [], ({ labels: { execute }, value, count }) => [execute, value, count]);
  const series = made.seriesOf(labels.priority_level)(labels.flow_schema);
  expect(read('dispatched_requests_total')).toEqual([]);
  expect(read('work_estimated_seats')).toEqual([]);

  for (const seats of [1, 1, 3]) {
    series.estimated(seats);
    series.enqueued(seats, seats);
    series.dequeued(seats);
    series.started(seats);
    series.waited(true, seats - 1);
  }
  series.enqueued(2, 1);
  series.ended();
  series.seatsReleased(1);
  for (let times = 0; times < 2; times += 1) {
    expect(read('dispatched_requests_total')).toEqual([[undefined, 3, 0]]);
    expect(read('current_executing_requests')).toEqual([[undefined, 2, 0]]);
    expect(read('current_executing_seats')).toEqual([[undefined, 4, 0]]);
    expect(read('current_inqueue_requests')).toEqual([[undefined, 1, 0]]);
    expect(read('current_inqueue_seats')).toEqual([[undefined, 2, 0]]);
    expect(read('request_queue_length_after_enqueue')).toEqual([[undefined, 6, 4]]);
    expect(read('work_estimated_seats')).toEqual([[undefined, 5, 3]]);
    expect(read('request_wait_duration_seconds')).toEqual([['true', 2, 3]]);
  }
  series.waited(false, 0);
  expect(read('request_wait_duration_seconds')).toEqual([
    ['true', 2, 3],
    ['false', 0, 1],
  ]);
  expect(made.seriesOf(labels.priority_level)(labels.flow_schema)).toBe(series);
});

test('a metric that is read collects its own series only', () => {
  const updated: string[] = [];
  class RecordedMetric extends Metric {
    override set(value: number, of?: MetricLabels): void {
      updated.push(this.definition.name.replace('apiserver_flowcontrol_', ''));
      super.set(value, of);
    }
  }
  const metrics: Metric[] = [];
  const made = new FlowMetrics((definition) => {
    const metric = new RecordedMetric(definition);
    metrics.push(metric);
    return metric;
  });
  const series = made.seriesOf(labels.priority_level)(labels.flow_schema);
  series.enqueued(1, 1);
  series.started(1);
  for (const metric of metrics) expect(metric.values).toBeDefined();
  expect(updated).toEqual([
    'dispatched_requests_total',
    'current_inqueue_requests',
    'current_inqueue_seats',
    'current_executing_requests',
    'current_executing_seats',
  ]);
});
