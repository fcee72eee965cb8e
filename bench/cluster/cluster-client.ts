import { setTimeout as delay } from 'node:timers/promises';
import { type Connections, openConnections, request, type Sent } from '../load-client.ts';
import type { Access } from '../target.ts';

const pollMs = 50;
const longestMs = 900_000;
const mostTries = 3;

/** Requests of an administrator who makes objects and waits for what becomes of them. */
export class ClusterClient implements Disposable {
  readonly #access: Access;
  readonly #check: () => void;
  #connections: Connections | undefined;

  /** `check` throws when it is pointless to wait on. */
  constructor(access: Access, check: () => void) {
    this.#access = access;
    this.#check = check;
  }

  async text(path: string): Promise<string> {
    const { status, body } = await this.#send({ method: 'GET', path, accept: '*/*' });
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body.toString('utf8', 0, 500)}`);
    return body.toString();
  }

  /** The object, of the kind that the path names; undefined if it is not found. */
  async find<T>(path: string): Promise<T | undefined> {
    const { status, body } = await this.#send({ method: 'GET', path });
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body.toString('utf8', 0, 500)}`);
    return JSON.parse(body.toString()) as T;
  }

  async write(method: 'POST' | 'PATCH' | 'DELETE', path: string, object: object): Promise<void> {
    const contentType = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
    const sent = { method, path, contentType, body: JSON.stringify(object) };
    const { status, body } = await this.#send(sent);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${body.toString('utf8', 0, 500)}`);
  }

  /** How many objects there are in a collection. */
  async count(path: string): Promise<number> {
    interface List {
      readonly metadata: { readonly remainingItemCount?: number };
      readonly items: readonly unknown[] | null;
    }
    const list = await this.find<List>(`${path}?limit=1`);
    return (list?.items?.length ?? 0) + (list?.metadata.remainingItemCount ?? 0);
  }

  /** Asks again and again. */
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const limit = performance.now() + longestMs;
    while (!(await holds())) {
      if (performance.now() > limit) throw new Error(`not in a quarter of an hour: ${what}`);
      this.#check();
      await delay(pollMs);
    }
  }

  /** As clients do, on a new connection if the server has sent the old one away before it saw the request. */
  async #send(sent: Sent): ReturnType<typeof request> {
    for (let tries = 1; ; tries += 1) {
      if (this.#connections?.shared.closed !== false) this.#connections = await openConnections(this.#access);
      try {
        return await request(this.#connections, sent);
      } catch (error) {
        const isRefused = error instanceof Error && /REFUSED_STREAM|GOAWAY/.test(`${error.message} ${codeOf(error)}`);
        if (!isRefused || tries === mostTries) throw error;
        this.#connections.shared.close();
      }
    }
  }

  [Symbol.dispose](): void {
    this.#connections?.shared.destroy();
  }
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
