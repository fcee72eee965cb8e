import { expect, test } from 'vitest';
import { Metric, type MetricDefinition } from '../api/metrics/metric.ts';
import { WireReader } from '../api/bytes/wire-reader.ts';
import { exposed } from './part-metrics.ts';
import { protobufOf } from './protobuf-exposition.ts';

type Message = ReadonlyMap<number, readonly (number | Uint8Array)[]>;

/** Integers as they are on the wire, doubles, and bytes. */
function read(bytes: Uint8Array): Message {
  const fields = new Map<number, (number | Uint8Array)[]>();
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    const value = wireType === 0 ? reader.integer() : wireType === 1 ? reader.double() : reader.bytes();
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const bytesOf = (message: Message, field: number): Uint8Array[] => (message.get(field) ?? []) as Uint8Array[];
const stringField = (message: Message, field: number): string =>
  Buffer.from(bytesOf(message, field)[0] ?? []).toString();
const signed = (value: number | Uint8Array): number =>
  Number(value) % 2 === 0 ? Number(value) / 2 : -(Number(value) + 1) / 2;

async function familiesOf(metrics: readonly Metric[], withNative: boolean): Promise<readonly Message[]> {
  const body = await protobufOf(metrics.map(exposed), withNative);
  // Each message stands after its length, as the value of a field does.
  const reader = new WireReader(body);
  const found: Message[] = [];
  while (!reader.done) found.push(read(reader.bytes()));
  return found;
}

const labelsOf = (metric: Message): object =>
  Object.fromEntries(bytesOf(metric, 1).map((label) => [stringField(read(label), 1), stringField(read(label), 2)]));

function makeMetric(type: MetricDefinition['type'], name: string): Metric {
  return new Metric({ name, help: `About ${name}.`, type, overThreads: 'sum', labelNames: ['of'], buckets: [0.1, 1] });
}

test('numbers, sorted by name', async () => {
  const [b, a] = [makeMetric('gauge', 'b'), makeMetric('counter', 'a')];
  b.set(-1.5, { of: 'ü' });
  a.add({ of: 'x' });
  a.add({ of: 'x' });
  const families = await familiesOf([b, a], true);
  expect(families.map((family) => [stringField(family, 1), stringField(family, 2), family.get(3)])).toEqual([
    ['a', 'About a.', [0]],
    ['b', 'About b.', [1]],
  ]);
  const [counter, gauge] = families.map((family) => read(bytesOf(family, 4)[0] ?? new Uint8Array()));
  expect([counter, gauge].map((metric) => labelsOf(metric ?? new Map()))).toEqual([{ of: 'x' }, { of: 'ü' }]);
  expect(read(bytesOf(counter ?? new Map(), 3)[0] ?? new Uint8Array()).get(1)).toEqual([2]);
  expect(read(bytesOf(gauge ?? new Map(), 2)[0] ?? new Uint8Array()).get(1)).toEqual([-1.5]);
});

async function histogramOf(values: readonly number[], withNative: boolean): Promise<Message> {
  const histogram = makeMetric('histogram', 'h');
  for (const value of values) histogram.observe(value, { of: 'x' });
  const [family = new Map()] = await familiesOf([histogram], withNative);
  const [metric = new Uint8Array()] = bytesOf(family, 4);
  expect(labelsOf(read(metric))).toEqual({ of: 'x' });
  return read(bytesOf(read(metric), 7)[0] ?? new Uint8Array());
}

test('a histogram has its buckets, and the infinite one is its count', async () => {
  const histogram = await histogramOf([0.05, 0.5, 5], false);
  expect([histogram.get(1), histogram.get(2)]).toEqual([[3], [5.55]]);
  expect(bytesOf(histogram, 3).map((bucket) => [read(bucket).get(1), read(bucket).get(2)])).toEqual([
    [[1], [0.1]],
    [[2], [1]],
  ]);
  expect(histogram.has(5)).toBe(false);
});

test('native buckets are spans and differences', async () => {
  // Buckets 0, 0, 3 and 16; 3 is near enough to be in the span of 0.
  const histogram = await histogramOf([0, 1, 1, 1.25, 4], true);
  expect(histogram.get(5)?.map(signed)).toEqual([3]);
  expect([histogram.get(6), histogram.get(7)]).toEqual([[2 ** -128], [1]]);
  const spans = bytesOf(histogram, 12).map((span) => [signed(read(span).get(1)?.[0] ?? 0), read(span).get(2)?.[0]]);
  expect(spans).toEqual([
    [0, 4],
    [12, 1],
  ]);
  expect(histogram.get(13)?.map(signed)).toEqual([2, -2, 0, 1, 0]);
  expect([histogram.has(9), histogram.has(10)]).toEqual([false, false]);
});

test('a summary has its quantiles', async () => {
  const summary = makeMetric('summary', 's');
  for (const value of [1, 2, 3]) summary.observe(value, { of: 'x' });
  const [family = new Map()] = await familiesOf([summary], true);
  const parts = read(bytesOf(read(bytesOf(family, 4)[0] ?? new Uint8Array()), 4)[0] ?? new Uint8Array());
  expect([parts.get(1), parts.get(2)]).toEqual([[3], [6]]);
  expect(bytesOf(parts, 3).map((quantile) => read(quantile).get(1)?.[0])).toEqual([0.5, 0.9, 0.99]);
});
