import { expect, test } from 'vitest';
import { stepAfter } from './ttl-controller.ts';

test('steps overlap: a cluster of about that size stays where it is', () => {
  expect([stepAfter(0, 100), stepAfter(0, 101), stepAfter(1, 95), stepAfter(1, 89)]).toEqual([0, 1, 1, 0]);
  expect([stepAfter(4, 1_000_000), stepAfter(4, 1799)]).toEqual([4, 3]);
});
