import { expect, test } from 'vitest';
import { formatPortRange, parsePortRange, PortBitmap } from './port-bitmap.ts';

const range = { base: 30_000, size: 2_768 };

test('ports are stored as one big-endian number without leading zero bytes', () => {
  const ports = new PortBitmap(range);
  expect([...ports.stored()]).toEqual([]);
  ports.set(30_000);
  ports.set(30_009);
  expect([...ports.stored()]).toEqual([2, 1]);
  const again = new PortBitmap(range, ports.stored());
  expect([...again.ports()]).toEqual([30_000, 30_009]);
  again.clear(30_009);
  expect([...again.stored()]).toEqual([1]);
  expect(again.equals(ports)).toBe(false);
});

test('ports outside of the range are not included', () => {
  const ports = new PortBitmap(range);
  for (const port of [0, 29_999, 32_768]) {
    ports.set(port);
    expect([ports.includes(port), ports.has(port)]).toEqual([false, false]);
  }
  expect(ports.taken).toBe(0);
});

test('dynamic allocation prefers the upper part of the range', () => {
  const ports = new PortBitmap({ base: 100, size: 40 });
  const given: number[] = [];
  for (let port = ports.findFree(); port !== undefined; port = ports.findFree()) {
    ports.set(port);
    given.push(port);
  }
  expect(new Set(given).size).toBe(40);
  expect(given.slice(0, 24).every((port) => port >= 116)).toBe(true);
});

test('ranges are formatted like kube-apiserver’s', () => {
  expect(formatPortRange(range)).toBe('30000-32767');
  expect(parsePortRange('30000-32767')).toEqual(range);
  for (const text of ['', '30000', '5-4', 'a-b']) expect(parsePortRange(text)).toBeUndefined();
});
