import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnBinnacle } from '../durability/server-process.ts';

/** `binnacle serve` in a process of its own, with what it writes to its streams. */
export class LoggedServer implements AsyncDisposable {
  readonly url: string;
  readonly kubeconfigPath: string;
  readonly #stop: () => Promise<void>;
  readonly #streams: { readonly stdout: string; readonly stderr: string };

  private constructor(
    { url, kubeconfigPath }: Pick<LoggedServer, 'url' | 'kubeconfigPath'>,
    streams: { readonly stdout: string; readonly stderr: string },
    stop: () => Promise<void>,
  ) {
    this.url = url;
    this.kubeconfigPath = kubeconfigPath;
    this.#streams = streams;
    this.#stop = stop;
  }

  /** Resolves when it serves. */
  static async start(...flags: readonly string[]): Promise<LoggedServer> {
    const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-logged-'));
    const place = ['--data-dir', dataDir, '--bind-address', '127.0.0.1', '--secure-port', '0'];
    const child = spawnBinnacle(['serve', ...place, '--disable-admission-plugins=ServiceAccount', ...flags]);
    const streams = { stdout: '', stderr: '' };
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const ended = once(child, 'close');
    child.once('close', () => reject(new Error(streams.stderr)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (streams.stderr += text));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      streams.stdout += text;
      const [, url] = / serves (https:\S+)/.exec(streams.stdout) ?? [];
      if (url !== undefined) resolve(url);
    });
    const removed = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
    const url = await promise.catch(async (error: unknown) => {
      await removed();
      throw error;
    });
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      await ended;
      await removed();
    };
    return new LoggedServer({ url, kubeconfigPath: join(dataDir, 'admin.kubeconfig') }, streams, stop);
  }

  /** Ends it, and returns all that it has written. */
  async output(): Promise<{ readonly stdout: string; readonly stderr: string }> {
    await this.#stop();
    return this.#streams;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stop();
  }
}
