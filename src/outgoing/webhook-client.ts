import { posix } from 'node:path';
import { HttpCaller } from './http-call.ts';
import { refusalOf } from './refused-call.ts';
import type { ServiceAddress, ServiceResolver } from './service-resolver.ts';

/** The `clientConfig` of custom resource definitions and webhook configurations. */
export interface WebhookTarget {
  readonly url?: string;
  readonly service?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** Base64 of PEM; empty: the system's CAs. */
  readonly caBundle?: string;
}

export interface WebhookCallOptions {
  readonly timeoutMs?: number;
  /** Sends the timeout to the webhook as a query parameter. */
  readonly namesTimeout?: boolean;
}

const defaultTimeoutMs = 30_000;
const maxAnswerBytes = 64 * 1024 * 1024;

/** Posts JSON to one webhook over keep-alive connections. */
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

  /** Returns the response body. Throws a CallError, or the StatusError of an unsuccessful response. */
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
