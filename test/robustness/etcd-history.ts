import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredChange } from './recorded.ts';
import { changeOf } from './stored-changes.ts';

/** Written to mark the end. */
const lastKey = '/robustness-end';
const attempts = 50;
const attemptMs = 5000;
const retryMs = 100;

/**
 * etcd's history, read through its JSON gateway, which is independent of our code. Read in parts, so that these can be
 * compacted.
 */
export class EtcdHistory {
  readonly #urls: readonly string[];
  readonly #changes: StoredChange[] = [];
  /** Everything before this revision has been read. */
  #next = 1;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  /** All changes until now. */
  async read(): Promise<readonly StoredChange[]> {
    await this.#anywhere((url) => this.#readFrom(url));
    return this.#changes;
  }

  /** Reads the available changes, then compacts them. */
  async compact(): Promise<void> {
    await this.read();
    await this.#anywhere(async (url) => {
      const answer = await post(url, 'kv/compaction', { revision: String(this.#next - 1) });
      // The response to an earlier attempt may have been lost.
      if (!answer.ok && !(await answer.text()).includes('compacted'))
        throw new Error(`no compaction: ${answer.status}`);
    });
  }

  /** Members may be recovering from a fault. */
  async #anywhere(ask: (url: string) => Promise<void>): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await ask(this.#urls[attempt % this.#urls.length] ?? '');
      } catch (error) {
        if (attempt === attempts) throw error;
        await sleep(retryMs);
      }
    }
  }

  async #readFrom(url: string): Promise<void> {
    const written = await post(url, 'kv/put', { key: base64(lastKey), value: base64('end') });
    // The gateway's format.
    const last = Number(((await written.json()) as GatewayResponse).header.revision);
    const watch = { key: base64('/'), range_end: base64('0'), start_revision: String(this.#next) };
    const { body } = await post(url, 'watch', { create_request: watch });
    if (body === null) throw new Error('etcd answers a watch with nothing');
    const found: StoredChange[] = [];
    // Leaving the loop cancels the body, which ends the watch.
    for await (const line of linesOf(body)) {
      const { result } = JSON.parse(line) as GatewayWatch;
      if (result?.compact_revision !== undefined) throw new Error(`etcd has been compacted: ${line}`);
      for (const { kv } of result?.events ?? []) {
        const revision = Number(kv.mod_revision);
        if (revision === last) {
          this.#changes.push(...found);
          this.#next = last + 1;
          return;
        }
        const key = Buffer.from(kv.key, 'base64').toString();
        const value = kv.value === undefined ? undefined : Buffer.from(kv.value, 'base64');
        const change = changeOf(key, value, revision);
        if (change !== undefined) found.push(change);
      }
    }
    throw new Error('etcd ended the watch');
  }
}

interface GatewayResponse {
  readonly header: { readonly revision: string };
}

interface GatewayWatch {
  readonly result?: {
    readonly compact_revision?: string;
    readonly events?: readonly {
      readonly kv: { readonly key: string; readonly mod_revision: string; readonly value?: string };
    }[];
  };
}

function post(url: string, path: string, body: unknown): Promise<Response> {
  const signal = AbortSignal.timeout(attemptMs);
  return fetch(`${url}/v3/${path}`, { method: 'POST', body: JSON.stringify(body), signal });
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
