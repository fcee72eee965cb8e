import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/api/json/json.ts';
import { pick, type Random } from '../../tools/random-objects/random.ts';
import type { ApiClient } from '../api-client.ts';

export interface WriteLoadOptions {
  readonly client: Pick<ApiClient, 'send'>;
  readonly random: Random;
  readonly namespaces: readonly string[];
  readonly namesPerNamespace: number;
  readonly writesPerSecond: number;
}

const turnMs = 20;
/** Far fewer than there are ConfigMaps. */
const mostUnderWay = 100;
/** Probabilities of operations on an existing ConfigMap. */
const shares = { delete: 0.1, patch: 0.3 };
/** Some events span several packets, so that cuts fall into them. */
const fillingBytes = [0, 0, 0, 100, 100, 100, 1_000, 8_000];

/**
 * Creates, changes and deletes ConfigMaps at a steady rate. Each has one writer at a time, so every write must succeed.
 */
export class WriteLoad {
  readonly #options: WriteLoadOptions;
  readonly #paths: string[];
  readonly #exists = new Set<string>();
  readonly #busy = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  #writes = 0;

  constructor(options: WriteLoadOptions) {
    this.#options = options;
    this.#paths = options.namespaces.flatMap((namespace) =>
      Array.from({ length: options.namesPerNamespace }, (_, n) => `${collectionOf(namespace)}/map-${n}`),
    );
  }

  /** Number of acknowledged writes. */
  get writes(): number {
    return this.#writes;
  }

  /** Takes longer if the server or the machine cannot keep up. */
  async run(writes: number): Promise<void> {
    const started = performance.now();
    for (let begun = 0; begun < writes; await sleep(turnMs)) {
      const due = ((performance.now() - started + turnMs) * this.#options.writesPerSecond) / 1000;
      for (; begun < Math.min(due, writes) && this.#underWay.size < mostUnderWay; begun += 1) this.#begin(begun);
    }
    await Promise.all(this.#underWay);
  }

  #begin(turn: number): void {
    let path = pick(this.#options.random, this.#paths);
    while (this.#busy.has(path)) path = pick(this.#options.random, this.#paths);
    this.#busy.add(path);
    const write = this.#write(path, String(turn)).finally(() => {
      this.#busy.delete(path);
      this.#underWay.delete(write);
    });
    this.#underWay.add(write);
  }

  async #write(path: string, turn: string): Promise<void> {
    const { client, random } = this.#options;
    const filling = 'x'.repeat(pick(random, fillingBytes));
    const [collection = '', name = ''] = path.split(/\/(?=map-)/);
    const body: JsonObject = { metadata: { name }, data: { turn, filling } };
    const chance = random();
    if (!this.#exists.has(path)) {
      expectDone(await client.send('POST', collection, { body }));
      this.#exists.add(path);
    } else if (chance < shares.delete) {
      expectDone(await client.send('DELETE', path));
      this.#exists.delete(path);
    } else if (chance < shares.delete + shares.patch) {
      const contentType = 'application/merge-patch+json';
      expectDone(await client.send('PATCH', path, { body: { data: { turn } }, contentType }));
    } else expectDone(await client.send('PUT', path, { body }));
    this.#writes += 1;
  }
}

export function collectionOf(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

function expectDone({ code, body }: { readonly code: number; readonly body: JsonObject }): void {
  if (code >= 300) throw new Error(`a write was answered ${code}: ${JSON.stringify(body)}`);
}
