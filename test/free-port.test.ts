import { expect, test } from 'vitest';
import { claim, freePort, isFree } from './free-port.ts';

test('ports are returned once, and are taken before anybody listens', async () => {
  const ports = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (let index = 0; index < 20; index += 1) ports.push(await freePort());
  expect(new Set(ports).size).toBe(ports.length);
  expect(await Promise.all(ports.map(isFree))).toEqual(ports.map(() => true));
  expect(await Promise.all(ports.map(claim))).toEqual(ports.map(() => false));
});
