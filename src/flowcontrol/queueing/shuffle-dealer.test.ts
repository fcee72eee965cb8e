import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { dealHand, deckFault } from './shuffle-dealer.ts';
import { Flows } from '../levels/flows.ts';

/** As dealt by kube-apiserver's own library. */
test.each([
  ['global-default', 'alice', 128, 6, [55, 62, 126, 125, 105, 1]],
  ['system-nodes', 'system:node:n1', 64, 6, [36, 37, 40, 20, 55, 27]],
  ['leader', '', 16, 4, [13, 10, 3, 4]],
  ['x', 'ünï', 64, 8, [61, 63, 34, 45, 43, 38, 16, 41]],
  ['a', 'b', 1, 1, [0]],
  ['a', 'b', 128, 8, [89, 122, 114, 7, 36, 13, 2, 79]],
])('the hand of %s %s of %d queues', (schema, distinguisher, queues, handSize, hand) => {
  expect(new Flows(schema, { queues, handSize }).handOf(distinguisher)).toEqual(hand);
});

test('hands have distinct cards, and all cards are dealt about as often', () => {
  const counts = Array.from({ length: 16 }, () => 0);
  for (let at = 0; at < 4_000; at += 1) {
    const hash = createHash('sha256').update(String(at)).digest().readBigUInt64LE();
    const hand = dealHand(hash, { queues: 16, handSize: 4 });
    expect(new Set(hand).size).toBe(4);
    for (const card of hand) counts[card] = (counts[card] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});

test.each([
  [{ queues: 128, handSize: 6 }, undefined],
  [{ queues: 0, handSize: 1 }, 'deckSize 0 or handSize 1 is not positive'],
  [{ queues: 2, handSize: 3 }, 'handSize 3 is greater than deckSize 2'],
  [{ queues: 2 ** 27, handSize: 1 }, 'deckSize 134217728 is impractically large'],
  [{ queues: 128, handSize: 9 }, 'required entropy bits of deckSize 128 and handSize 9 is greater than 60'],
])('%o', (deck, fault) => {
  expect(deckFault(deck)).toBe(fault);
});
