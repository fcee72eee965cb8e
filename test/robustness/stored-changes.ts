import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/api/json.ts';
import { prefixEnd } from '../../src/storage/contract.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/engine.ts';
import { stateOf, storePrefix } from './objects.ts';
import type { StoredChange } from './recorded.ts';

const range = { start: storePrefix, end: prefixEnd(storePrefix) };

/** All changes that the embedded store of a server has on its disk. */
export async function embeddedChanges(dataDir: string): Promise<readonly StoredChange[]> {
  await using storage = await openEmbeddedStorage({ dataDir: join(dataDir, 'storage') });
  const changes: StoredChange[] = [];
  let reached = 0;
  let failure: unknown;
  const watch = storage.watch(
    { ...range, afterRevision: 1 },
    {
      events: (events) => changes.push(...events.map(({ key, value, revision }) => changeOf(key, value, revision))),
      progress: (revision) => (reached = revision),
      failed: (error) => (failure = error),
    },
  );
  watch.requestProgress();
  const revision = await storage.currentRevision();
  while (reached < revision && failure === undefined) await sleep(5);
  watch.cancel();
  if (failure !== undefined) throw failure;
  return changes;
}

/** All changes that etcd has, told by itself: its JSON gateway is no code of ours. */
export async function etcdChanges(url: string): Promise<readonly StoredChange[]> {
  const post = (path: string, body: JsonObject): Promise<Response> =>
    fetch(`${url}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) });
  // A last change, to know where the present is.
  const written = await post('kv/put', { key: base64(`${range.start}~`), value: base64('end') });
  const last = Number(((await written.json()) as Gateway).header?.revision);
  const watch = { key: base64(range.start), range_end: base64(range.end), start_revision: '1' };
  const { body } = await post('watch', { create_request: watch });
  if (body === null) throw new Error('etcd answers a watch with nothing');
  const changes: StoredChange[] = [];
  // Leaving the loop cancels the body, which ends the watch.
  for await (const line of linesOf(body)) {
    const { result } = JSON.parse(line) as GatewayWatch;
    if (result?.compact_revision !== undefined) throw new Error(`etcd has been compacted: ${line}`);
    for (const { kv } of result?.events ?? []) {
      const revision = Number(kv.mod_revision);
      if (revision >= last) return changes;
      const value = kv.value === undefined ? undefined : Buffer.from(kv.value, 'base64');
      changes.push(changeOf(Buffer.from(kv.key, 'base64').toString(), value, revision));
    }
  }
  throw new Error('etcd ended the watch');
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

interface Gateway {
  readonly header?: { readonly revision: string };
}

interface GatewayWatch {
  readonly result?: {
    readonly compact_revision?: string;
    readonly events?: readonly {
      readonly kv: { readonly key: string; readonly mod_revision: string; readonly value?: string };
    }[];
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function changeOf(key: string, value: Uint8Array | undefined, revision: number): StoredChange {
  const name = key.slice(storePrefix.length);
  if (value === undefined) return { name, revision, now: undefined };
  // Stored objects are JSON objects.
  const object = JSON.parse(Buffer.from(value).toString('utf8')) as JsonObject;
  return { name, revision, now: stateOf(object, revision) };
}
