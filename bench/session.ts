import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Job, LoadResult, Order, Reply, RequestJob } from './load.ts';
import { podBytes, podName, podNode, podOwner, podsPath, podText } from './pod.ts';
import { cpuMs } from './process-usage.ts';
import type { RunningTarget } from './target.ts';

export interface Measured {
  readonly cpuUsPerRequest: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const connectLimitMs = 30_000;

/** A running server with a load generator. */
export class Session implements AsyncDisposable {
  readonly target: RunningTarget;
  readonly pods: number;
  #generator: ChildProcess | undefined;
  #pod: { readonly padding: number; readonly ownerUid: string } | undefined;
  #created: Measured | undefined;

  constructor(target: RunningTarget, pods: number) {
    this.target = target;
    this.pods = pods;
  }

  /** Runs a job in the load generator. */
  async load(job: Job): Promise<LoadResult> {
    this.#generator ??= fork(join(import.meta.dirname, 'load-generator.ts'), {
      execArgv: [],
      serialization: 'advanced',
    });
    const order: Order = { access: this.target.access, job };
    const answer = once(this.#generator, 'message');
    this.#generator.send(order);
    // The generator only sends replies.
    const [reply] = (await answer) as [Reply];
    if ('error' in reply) throw new Error(reply.error);
    return reply.result;
  }

  async requests(job: Omit<RequestJob, 'kind'>): Promise<Measured> {
    const before = cpuMs(this.target.pids);
    const { elapsedMs, latenciesMs } = await this.load({ kind: 'requests', ...job });
    const usedMs = cpuMs(this.target.pids) - before;
    const sorted = latenciesMs.toSorted((a, b) => a - b);
    const quantile = (part: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
    return {
      cpuUsPerRequest: (usedMs * 1000) / job.count,
      perSecond: (job.count / elapsedMs) * 1000,
      p50Ms: quantile(0.5),
      p99Ms: quantile(0.99),
    };
  }

  /** Creates the pods that other rows read and write, once, and measures that. */
  async createPods(): Promise<Measured> {
    if (this.#created !== undefined) return this.#created;
    const body = await this.podBody();
    const path = podsPath;
    const job = { method: 'POST', path, body, names: Number.MAX_SAFE_INTEGER, concurrency: 16 };
    const warmUp = Math.floor(this.pods / 10);
    await this.requests({ ...job, from: 0, count: warmUp });
    this.#created = await this.requests({ ...job, from: warmUp, count: this.pods - warmUp });
    return this.#created;
  }

  /** With `{name}` for the name, padded so that both servers send the same number of bytes. */
  async podBody(): Promise<string> {
    if (this.#pod === undefined) {
      const path = `${podsPath}?dryRun=All`;
      const job = { kind: 'requests', method: 'POST', path, from: 0, count: 1, names: 1, concurrency: 1 } as const;
      await this.namespaceExists();
      await this.#apply(podNode);
      const ownerUid = await this.#apply(podOwner);
      const { bytes } = await this.load({ ...job, body: podText(podName(0), 0, ownerUid) });
      this.#pod = { padding: Math.max(0, podBytes - bytes), ownerUid };
    }
    return podText('{name}', this.#pod.padding, this.#pod.ownerUid);
  }

  /** Returns the UID of the object. */
  async #apply({ path, object }: { readonly path: string; readonly object: object }): Promise<string> {
    const { last } = await this.load({
      kind: 'requests',
      method: 'PATCH',
      path: `${path}?fieldManager=bench&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: JSON.stringify(object),
      from: 0,
      count: 1,
      names: 1,
      concurrency: 1,
    });
    const { metadata } = JSON.parse(last) as { metadata: { uid: string } }; // set in every stored object
    return metadata.uid;
  }

  /** A second load generator for this server, for concurrent load. Disposing of it leaves the server running. */
  beside(): Session {
    return new Session({ ...this.target, stop: () => Promise.resolve() }, this.pods);
  }

  /** Resolves when the `default` namespace exists: kube-apiserver creates it after it is ready. */
  async namespaceExists(): Promise<void> {
    const limit = performance.now() + connectLimitMs;
    const path = '/api/v1/namespaces/default';
    for (;;) {
      try {
        await this.load({ kind: 'requests', method: 'GET', path, from: 0, count: 1, names: 1, concurrency: 1 });
        return;
      } catch (error) {
        if (performance.now() > limit || !(error instanceof Error) || !error.message.includes(': 404 ')) throw error;
        await delay(100);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#generator !== undefined && this.#generator.exitCode === null) {
      const exit = once(this.#generator, 'exit');
      this.#generator.kill();
      await exit;
    }
    await this.target.stop();
  }
}
