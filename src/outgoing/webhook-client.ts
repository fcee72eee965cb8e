import { posix } from 'node:path';
import { HttpCaller } from './http-call.ts';
import { refusalOf } from './refused-call.ts';
import type { ServiceAddress, ServiceResolver } from './service-resolver.ts';

/** Where a webhook is: the `clientConfig` of definitions and of webhook configurations. */
export interface WebhookTarget {
  readonly url?: string;
  readonly service?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM in Base64; empty: the authorities of the system. */
  readonly caBundle?: string;
}

export interface WebhookCallOptions {
  readonly timeoutMs?: number;
  /** Tells the webhook in its URL how long the call may take. */
  readonly namesTimeout?: boolean;
}

const defaultTimeoutMs = 30_000;
const maxAnswerBytes = 64 * 1024 * 1024;

/** Posts JSON to one webhook, over connections that are kept for the next call. */
export class WebhookClient implements Disposable {
  readonly #target: WebhookTarget;
  readonly #resolve: ServiceResolver;
  readonly #caller: HttpCaller;

  constructor(target: WebhookTarget, resolve: ServiceResolver) {
    this.#target = target;
    this.#resolve = resolve;
    const { caBundle = '' } = target;
    this.#caller = new HttpCaller(caBundle === '' ? {} : { ca: Buffer.from(caBundle, 'base64') });
  }

  /** The body of the answer. Throws a CallError, or the StatusError of an answer other than success. */
  async post(
    body: string,
    { timeoutMs = defaultTimeoutMs, namesTimeout = false }: WebhookCallOptions = {},
  ): Promise<Buffer> {
    const headers = { accept: 'application/json, */*', 'content-type': 'application/json' };
    const { url, address } = await this.#address();
    if (namesTimeout) url.search = `?timeout=${Math.ceil(timeoutMs / 1_000)}s`;
    const answer = await this.#caller.follow({
      ...{ method: 'POST', url, headers, body, timeoutMs, maxAnswerBytes },
      ...(address === undefined ? {} : { address }),
    });
    const refusal = refusalOf(answer);
    if (refusal !== undefined) throw refusal;
    return answer.body;
  }

  /** Closes idle connections; calls in flight complete. */
  [Symbol.dispose](): void {
    this.#caller.close();
  }

  async #address(): Promise<{ readonly url: URL; readonly address?: ServiceAddress }> {
    const { url, service } = this.#target;
    if (service === undefined) return { url: new URL(url ?? '') };
    const { name = '', namespace = '', path = '', port = 443 } = service;
    return {
      url: new URL(`https://${name}.${namespace}.svc:${port}${posix.join('/', path)}`),
      address: await this.#resolve(namespace, name, port),
    };
  }
}
