import { once } from 'node:events';
import { Socket } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endsInSlices } from './ends-in-slices.ts';

test('of connections that end at once, some do in each round', async () => {
  let finished = 0;
  const sockets = Array.from({ length: 100 }, () => {
    const socket = new Socket();
    endsInSlices(socket);
    return socket.once('finish', () => (finished += 1));
  });
  for (const socket of sockets) socket.end();
  const seen: number[] = [];
  while (finished < sockets.length) {
    await nextRound();
    seen.push(finished);
  }
  expect(seen.length).toBeGreaterThan(2);
  // At once, and those after them at the end of the same round.
  expect(seen[0]).toBeLessThanOrEqual(64);
  for (const [index, count] of seen.slice(1).entries()) expect(count - (seen[index] ?? 0)).toBeLessThanOrEqual(32);
});

test('one that ends alone does so at once', async () => {
  await nextRound();
  await nextRound();
  const socket = new Socket();
  endsInSlices(socket);
  let isFinal = false;
  socket._final(() => (isFinal = true));
  expect(isFinal).toBe(true);
  socket.end();
  await once(socket, 'finish');
});
