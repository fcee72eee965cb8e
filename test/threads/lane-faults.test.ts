import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import type { ServerProcess } from '../robustness/server-process.ts';
import type { ThreadFault } from '../robustness/thread-faults.ts';
import { startLaneServer } from './lane-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

const large = (name: string): object => ({ metadata: { name }, data: { a: 'line of a file\n'.repeat(10_000) } });

interface FaultyServer extends AsyncDisposable {
  readonly process: ServerProcess;
  fail(fault: ThreadFault['fault']): void;
}

async function startFaultyServer(): Promise<FaultyServer> {
  const server = await startLaneServer({
    // A lane that is deaf for so long ends.
    args: ['--request-timeout=4s'],
    nodeArgs: ['--import', join(import.meta.dirname, '..', 'robustness', 'thread-faults.ts')],
  });
  return {
    process: server.process,
    fail: (fault) => void server.process.child?.send?.({ threads: 'lane', fault } satisfies ThreadFault),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Creates objects until it is stopped; returns the names of those that have been acknowledged. */
async function write(client: ApiClient, { signal }: AbortController): Promise<readonly string[]> {
  const names: string[] = [];
  for (let index = 0; !signal.aborted; index += 1) {
    const name = `small-${index}`;
    expect((await client.send('POST', configMaps, { body: { metadata: { name } } })).code).toBe(201);
    names.push(name);
  }
  return names;
}

/** Sends a large request until a lane answers; returns the codes of the answers, 0 for none. */
async function untilServed(client: ApiClient, name: string): Promise<readonly number[]> {
  const codes: number[] = [];
  while (codes.at(-1) !== 201) {
    const answer = await client.send('POST', configMaps, { body: large(name) }).catch(() => undefined);
    codes.push(answer?.code ?? 0);
  }
  return codes;
}

test.each(['throw', 'heap', 'deaf'] as const)(
  'a lane with the fault "%s" ends alone, and another one takes its place',
  async (fault) => {
    await using server = await startFaultyServer();
    using client = await ApiClient.connect(server.process);
    using other = await ApiClient.connect(server.process);
    expect(await untilServed(client, 'before')).toEqual([201]);
    const stop = new AbortController();
    const writing = write(other, stop);
    server.fail(fault);
    const codes = await untilServed(client, 'after');
    expect(codes.filter((code) => ![0, 201, 500, 504].includes(code))).toEqual([]);
    stop.abort();
    const names = await writing;
    expect(names.length).toBeGreaterThan(0);
    expect(server.process.deaths).toEqual([]);
    const { body } = await other.send('GET', configMaps);
    const stored = new Set(
      (body['items'] as { readonly metadata: { readonly name: string } }[]).map((item) => item.metadata.name),
    );
    expect([...names, 'before', 'after'].filter((name) => !stored.has(name))).toEqual([]);
  },
  120_000,
);

const merge = 'application/merge-patch+json';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const label = { metadata: { labels: { a: 'b' } } };

test('whether a lane serves a request depends on the object that is stored, if it is read', async () => {
  await using server = await startFaultyServer();
  using client = await ApiClient.connect(server.process);
  expect(await untilServed(client, 'large')).toEqual([201]);
  expect((await client.send('POST', configMaps, { body: { metadata: { name: 'small' } } })).code).toBe(201);
  const codes = async (name: string): Promise<readonly number[]> => {
    const path = `${configMaps}/${name}`;
    const answers = [
      client.send('PATCH', path, { body: label, contentType: merge }),
      client.send('GET', path, { headers: { accept: table } }),
      client.send('GET', path),
    ];
    return (await Promise.all(answers)).map(({ code }) => code);
  };
  server.fail('deaf');
  expect(await codes('small')).toEqual([200, 200, 200]);
  expect(await codes('large')).toEqual([500, 500, 200]);
  expect(await codes('large')).toEqual([200, 200, 200]);
});
