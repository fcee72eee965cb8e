import { readFile } from 'node:fs/promises';
import type { TestServer } from '../server-fixture.ts';

/** Sockets of this machine that listen on the port of a server: one for each of its threads. */
export async function listeningSockets({ url }: Pick<TestServer, 'url'>): Promise<number> {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n');
  // Columns: number, local address, remote address, state (0A: listening).
  return lines
    .map((line) => line.trim().split(/ +/))
    .filter(([, own, , state]) => own?.endsWith(`:${port}`) && state === '0A').length;
}
