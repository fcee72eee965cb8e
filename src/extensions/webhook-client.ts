import type { Soon } from '../api/soon.ts';
import { type CallAddress, CallError, HttpCaller } from '../outgoing/http-call.ts';
import { refusalOf } from '../outgoing/refused-call.ts';
import type { WebhookClientConfig } from '../schema/kubernetes/generated/types/apiextensions-v1.ts';

/** The address of a service. */
export type ServiceAddress = CallAddress;

/** Throws when the service or the port does not exist. */
export type ServiceResolver = (namespace: string, name: string, port: number) => Soon<ServiceAddress>;

/** Thrown when a webhook cannot be called or its response is invalid. Messages match the reference. */
export class WebhookCallError extends Error {
  readonly code = 'webhook-call';
}

const timeoutMs = 30_000;
const maxAnswerBytes = 64 * 1024 * 1024;

/** Posts JSON to one webhook over keep-alive connections. */
export class WebhookClient {
  readonly #config: WebhookClientConfig;
  readonly #resolve: ServiceResolver;
  readonly #caller: HttpCaller;

  constructor(config: WebhookClientConfig, resolve: ServiceResolver) {
    this.#config = config;
    this.#resolve = resolve;
    const { caBundle = '' } = config;
    this.#caller = new HttpCaller(caBundle === '' ? {} : { ca: Buffer.from(caBundle, 'base64') });
  }

  /** Returns the response body. Throws a WebhookCallError. */
  async post(body: string): Promise<string> {
    const headers = { accept: 'application/json, */*', 'content-type': 'application/json' };
    try {
      const target = await this.#target();
      const answer = await this.#caller.call({ method: 'POST', ...target, headers, body, timeoutMs, maxAnswerBytes });
      const refusal = refusalOf(answer);
      if (refusal === undefined) return answer.body.toString();
      throw new WebhookCallError(refusal.message, { cause: refusal });
    } catch (error) {
      throw error instanceof CallError ? new WebhookCallError(error.message, { cause: error }) : error;
    }
  }

  async #target(): Promise<{ readonly url: URL; readonly address?: ServiceAddress }> {
    const { url, service } = this.#config;
    if (service === undefined) return { url: new URL(url ?? '') };
    const { name = '', namespace = '', path = '', port = 443 } = service;
    return {
      url: new URL(`https://${name}.${namespace}.svc:${port}${path === '' ? '/' : path}`),
      address: await this.#resolve(namespace, name, port),
    };
  }
}
