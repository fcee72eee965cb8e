import { Agent, request } from 'node:https';
import { isIP } from 'node:net';
import type { Soon } from '../api/soon.ts';
import type { WebhookClientConfig } from '../schema/kubernetes/generated/types/apiextensions-v1.ts';

/** Where a service is reached. */
export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

/** Throws when there is no such service, or no such port. */
export type ServiceResolver = (namespace: string, name: string, port: number) => Soon<ServiceAddress>;

/** A webhook that could not be asked, or whose answer is none; the message is as the reference words it. */
export class WebhookCallError extends Error {
  readonly code = 'webhook-call';
}

const timeoutMs = 30_000;
const maxAnswerBytes = 64 * 1024 * 1024;

/** Posts JSON to one webhook, over connections that are kept for the next call. */
export class WebhookClient {
  readonly #config: WebhookClientConfig;
  readonly #resolve: ServiceResolver;
  readonly #agent: Agent;

  constructor(config: WebhookClientConfig, resolve: ServiceResolver) {
    this.#config = config;
    this.#resolve = resolve;
    const { caBundle = '' } = config;
    const authority = caBundle === '' ? {} : { ca: Buffer.from(caBundle, 'base64') };
    this.#agent = new Agent({ keepAlive: true, ...authority });
  }

  /** The body of the answer. Throws a WebhookCallError. */
  async post(body: string): Promise<string> {
    const { url, address, serverName } = await this.#target();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const fail = (why: string): void => reject(new WebhookCallError(`Post "${url.href}": ${why}`));
    const call = request(
      {
        ...{ method: 'POST', agent: this.#agent, timeout: timeoutMs, path: `${url.pathname}${url.search}` },
        ...{ host: address.host, port: address.port, ...(isIP(serverName) === 0 ? { servername: serverName } : {}) },
        headers: {
          ...{ host: url.host, accept: 'application/json, */*', 'content-type': 'application/json' },
          'content-length': String(Buffer.byteLength(body)),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > maxAnswerBytes) call.destroy(new Error('the answer is too large'));
        });
        response.on('error', (error) => fail(error.message));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const { statusCode = 0 } = response;
          if (statusCode >= 200 && statusCode < 300) resolve(text);
          else reject(new WebhookCallError(refusal(statusCode, text)));
        });
      },
    );
    call.once('timeout', () => call.destroy(new Error('context deadline exceeded')));
    call.once('error', (error) => fail(wordsOf(error, address)));
    call.end(body);
    return promise;
  }

  async #target(): Promise<{ readonly url: URL; readonly address: ServiceAddress; readonly serverName: string }> {
    const { url: text, service } = this.#config;
    if (service === undefined) {
      const url = new URL(text ?? '');
      const host = url.hostname.replace(/^\[|\]$/g, '');
      return { url, address: { host, port: Number(url.port) || 443 }, serverName: host };
    }
    const { name = '', namespace = '', path = '', port = 443 } = service;
    const serverName = `${name}.${namespace}.svc`;
    const url = new URL(`https://${serverName}:${port}${path === '' ? '/' : path}`);
    return { url, address: await this.#resolve(namespace, name, port), serverName };
  }
}

function refusal(code: number, text: string): string {
  if (code >= 500)
    return `an error on the server (${JSON.stringify(text.trim())}) has prevented the request from succeeding`;
  if (code === 404) return 'the server could not find the requested resource';
  return `the server responded with the status code ${code} but did not return more information`;
}

/** In Go's words, where clients meet them. */
function wordsOf(error: Error, { host, port }: ServiceAddress): string {
  const code = 'code' in error ? error.code : undefined;
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${address}: connect: connection refused`;
    case 'ENOTFOUND':
      return `dial tcp: lookup ${host}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
    case 'CERT_HAS_EXPIRED':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
    default:
      return error.message;
  }
}
