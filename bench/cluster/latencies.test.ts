import { expect, test } from 'vitest';
import { durationsOf, durationsSince, latencyOf } from './latencies.ts';

function metrics(...counts: readonly (readonly [labels: string, count: number])[]): string {
  return [
    '# TYPE apiserver_request_duration_seconds histogram',
    ...counts.map(([labels, count]) => `apiserver_request_duration_seconds_bucket{${labels}} ${count}`),
    'apiserver_request_duration_seconds_count{verb="GET"} 9',
  ].join('\n');
}

test('buckets of all resources are added up by verb', () => {
  const text = metrics(
    ['resource="pods",verb="GET",le="0.1"', 3],
    ['resource="pods",verb="GET",le="+Inf"', 4],
    ['resource="nodes",verb="GET",le="0.1"', 2],
    ['resource="nodes",verb="GET",le="+Inf"', 2],
    ['resource="pods",verb="LIST",le="+Inf"', 1],
  );
  const infinite = Number.POSITIVE_INFINITY;
  expect(durationsOf(text)).toEqual(
    new Map([
      [
        'GET',
        new Map([
          [0.1, 5],
          [infinite, 6],
        ]),
      ],
      ['LIST', new Map([[infinite, 1]])],
    ]),
  );
});

test('percentiles are those of the requests between two readings', () => {
  const before = durationsOf(
    metrics(['verb="PUT",le="0.1"', 90], ['verb="PUT",le="0.2"', 90], ['verb="PUT",le="+Inf"', 90]),
  );
  const after = durationsOf(
    metrics(['verb="PUT",le="0.1"', 95], ['verb="PUT",le="0.2"', 99], ['verb="PUT",le="+Inf"', 100]),
  );
  const latency = latencyOf(durationsSince(before, after).get('PUT') ?? new Map());
  expect(latency.count).toBe(10);
  expect(latency.quantileMs(0.25)).toBeCloseTo(50);
  expect(latency.quantileMs(0.7)).toBeCloseTo(150);
  expect(latency.quantileMs(0.99)).toBeCloseTo(200);
});
