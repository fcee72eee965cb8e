import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient, type ApiResponse, type Request } from '../api-client.ts';
import type { Random } from '../robustness/random.ts';
import type { TestServer } from '../server-fixture.ts';

export type Server = Pick<TestServer, 'url' | 'kubeconfigPath'>;

/** One kind of load: its steps follow each other with pauses, each leaves behind what the one before it did. */
export interface Load {
  readonly name: string;
  /** What one step does, for the documents. */
  readonly does: string;
  /** The pause between two steps. */
  readonly everyMs: number;
  /** How many do it at the same time; default one. */
  readonly users?: number;
  start(context: LoadContext): Promise<LoadUser>;
}

export interface LoadContext {
  readonly server: Server;
  readonly random: Random;
  readonly signal: AbortSignal;
}

export interface LoadUser extends AsyncDisposable {
  step(): Promise<void>;
}

/** A client that insists on its answers. */
export class Asker implements Disposable {
  readonly client: ApiClient;
  readonly #server: Server;

  private constructor(client: ApiClient, server: Server) {
    this.client = client;
    this.#server = server;
  }

  static async connect(server: Server): Promise<Asker> {
    return new Asker(await ApiClient.connect(server), server);
  }

  /** Fails unless the answer has one of the codes. */
  async ask(
    method: string,
    path: string,
    request: Request & { readonly codes?: readonly number[] },
  ): Promise<ApiResponse> {
    const { codes = [200, 201], ...rest } = request;
    const { code, headers, text } = await this.client.exchange(method, path, rest);
    if (!codes.includes(code)) throw new Error(`${method} ${path}: ${code} ${text.slice(0, 300)}`);
    // The answer for a version that is not served is plain text.
    const isJson = String(headers['content-type']).startsWith('application/json');
    return { code, headers, body: (isJson ? JSON.parse(text) : {}) as JsonObject };
  }

  create(path: string, body: object): Promise<ApiResponse> {
    return this.ask('POST', path, { body });
  }

  delete(path: string): Promise<ApiResponse> {
    return this.ask('DELETE', path, { codes: [200, 202] });
  }

  /** Resolves when the object is as wanted, seen by a watch; `undefined` stands for one that is gone. */
  async until(list: string, name: string, isWanted: (object: unknown) => boolean): Promise<void> {
    const selected = `${list}?fieldSelector=metadata.name%3D${name}`;
    const { body } = await this.ask('GET', selected, {});
    const { items, metadata } = body as unknown as { items: readonly unknown[]; metadata: { resourceVersion: string } };
    if (isWanted(items[0])) return;
    const path = `${selected}&watch=1&timeoutSeconds=60&resourceVersion=${metadata.resourceVersion}`;
    for await (const { type, object } of this.client.watch(path)) {
      if (isWanted(type === 'DELETED' ? undefined : object)) return;
    }
    throw new Error(`${list}/${name} did not become what it should be in time`);
  }

  /** A new connection to the same server without credentials. */
  async asNobody(): Promise<Asker> {
    return new Asker(await ApiClient.connectAsNobody(this.#server), this.#server);
  }

  [Symbol.dispose](): void {
    this.client[Symbol.dispose]();
  }
}

/** Steps until the signal; what fails is counted and told. */
export async function runLoad(load: Load, context: LoadContext, tell: (fault?: string) => void): Promise<void> {
  await using user = await load.start(context);
  while (!context.signal.aborted) {
    try {
      await user.step();
      tell();
    } catch (error) {
      if (!context.signal.aborted) tell(`${load.name}: ${String(error)}`);
    }
    await sleep(load.everyMs * (0.5 + context.random.fraction()), undefined, { signal: context.signal }).catch(
      () => undefined,
    );
  }
}
