import { expect, test } from 'vitest';
import { Metric } from './metric.ts';

const metric = (): Metric =>
  new Metric({ name: 'x', help: '', type: 'gauge', overThreads: 'sum', labelNames: ['a', 'b'] });

test('counts by labels, exposed by name', () => {
  const counted = metric();
  counted.add({ b: '1', a: '2' });
  counted.add({ b: '1', a: '2' });
  counted.add();
  const shown = [...counted.values].map(({ labels, value }) => [JSON.stringify(labels), value]);
  expect(shown).toEqual([
    ['{"a":"2","b":"1"}', 2],
    ['{}', 1],
  ]);
});

test('forgets the series that have a label', () => {
  const shown = metric();
  shown.set(1, { a: '1', b: '1' });
  shown.set(2, { a: '1', b: '2' });
  shown.set(3, { a: '2', b: '1' });
  shown.forget({ a: '1' });
  expect([...shown.values]).toMatchObject([{ labels: { a: '2', b: '1' }, value: 3 }]);
});
