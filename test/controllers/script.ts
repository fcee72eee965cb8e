import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/api/json/json.ts';
import type { ApiClient } from '../api-client.ts';
import { outcomeOf } from './outcome.ts';

/** A request, or a pause, which lets controllers see the state between. */
export type Step =
  | { readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; readonly path: string; readonly body?: unknown }
  | { readonly pauseMs: number };

/** Requests, and what there is after them once controllers have done their work. */
export interface Script {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Paths of objects or lists. */
  readonly reads: readonly string[];
  /** How long kube-controller-manager may rest before it goes on; absent: seconds. */
  readonly restMs?: number;
}

const patchType = 'application/merge-patch+json';

export async function playSteps(client: ApiClient, { name, steps }: Script): Promise<void> {
  for (const step of steps) {
    if ('pauseMs' in step) {
      await sleep(step.pauseMs);
      continue;
    }
    const { method, path, body } = step;
    const request = body === undefined ? {} : { body, ...(method === 'PATCH' ? { contentType: patchType } : {}) };
    const answer = await client.send(method, path, request);
    if (answer.code >= 300) throw new Error(`${name}: ${method} ${path}: ${JSON.stringify(answer.body)}`);
  }
}

/** What the reads of a script answer now. */
export async function readOutcome(client: ApiClient, { reads }: Script): Promise<JsonObject> {
  const outcome: JsonObject = {};
  for (const path of reads) {
    const { code, body } = await client.send('GET', path);
    outcome[path] = code === 200 ? outcomeOf(body) : code;
  }
  return outcome;
}
