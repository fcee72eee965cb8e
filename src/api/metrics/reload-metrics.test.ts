import { expect, test } from 'vitest';
import { Metric, type MetricDefinition } from './metric.ts';
import { ReloadMetrics, serverLabel } from './reload-metrics.ts';

const server = serverLabel('one');

function registered(labelNames: readonly string[] = []) {
  const metrics = new Map<string, Metric>();
  const metric = (definition: MetricDefinition): Metric => {
    const made = new Metric(definition);
    metrics.set(definition.name, made);
    return made;
  };
  const reloads = new ReloadMetrics({ metric, clock: { now: () => 5_000 } }, { prefix: 'x', what: 'it', labelNames });
  const valuesOf = (name: string) =>
    [...(metrics.get(`x_${name}`)?.values ?? [])].map(({ labels, value }) => ({ labels, value }));
  return { reloads, valuesOf, metrics };
}

test('shows how often and when something was read again', () => {
  const { reloads, valuesOf } = registered();
  reloads.ended('failure', server);
  reloads.ended('failure', server);
  const labels = { ...server, status: 'failure' };
  expect(valuesOf('automatic_reloads_total')).toEqual([{ labels, value: 2 }]);
  expect(valuesOf('automatic_reload_last_timestamp_seconds')).toEqual([{ labels, value: 5 }]);
});

test('shows only the content that is in use, by further labels', () => {
  const { reloads, valuesOf, metrics } = registered(['plugin']);
  reloads.inUse('a', { plugin: 'p', ...server });
  reloads.inUse('a', { plugin: 'q', ...server });
  reloads.inUse('b', { plugin: 'p', ...server });
  expect(valuesOf('last_config_info')).toEqual([
    { labels: { ...server, hash: 'a', plugin: 'q' }, value: 1 },
    { labels: { ...server, hash: 'b', plugin: 'p' }, value: 1 },
  ]);
  for (const { definition } of metrics.values()) expect(definition.labelNames).toContain('plugin');
});
