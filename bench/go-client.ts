import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Access } from './target.ts';

const source = join(import.meta.dirname, 'go-client');

/** Sends the same request again and again. */
export interface RequestSender {
  send(count: number): Promise<void>;
}

/** The path of the compiled program; undefined without Go. */
export function buildGoClient(folder: string): string | undefined {
  const program = join(folder, 'go-client');
  try {
    execFileSync('go', ['build', '-o', program, '.'], { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] });
    return program;
  } catch (error) {
    console.error(`Go's client is left out: ${String(error)}`);
    return undefined;
  }
}

export interface GoClientOptions {
  readonly concurrency: number;
  readonly isHttp1: boolean;
}

/** A process with the transport of client-go, which sends a header that it has sent before as an index. */
export class GoClient implements RequestSender, AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  readonly #failure: Promise<never>;

  /** The URL includes the path. */
  constructor(program: string, { url, ca, cert, key, token }: Access, { concurrency, isHttp1 }: GoClientOptions) {
    const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    this.#lines = createInterface(child.stdout);
    this.#failure = once(this.#lines, 'close').then(() => Promise.reject(new Error("Go's client has failed")));
    this.#failure.catch(() => undefined); // an end between two requests is the usual one
    this.#write(
      JSON.stringify({ url, ca, cert, key, token, http1: isHttp1, concurrency }), // see main.go
    );
  }

  async send(count: number): Promise<void> {
    const sent = once(this.#lines, 'line');
    this.#write(String(count));
    await Promise.race([sent, this.#failure]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await exit;
  }

  #write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }
}
