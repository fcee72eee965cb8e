import { Agent, request } from 'node:https';
import type { JsonObject } from '../../src/api/json/json.ts';

export interface TokenRequest {
  readonly method: string;
  readonly path: string;
  /** From the token file. */
  readonly token: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: { readonly [name: string]: string | string[] };
}

export interface TokenResponse {
  readonly code: number;
  readonly body: JsonObject | string;
}

/** Sends requests over HTTP/1.1 with bearer tokens. */
export class TokenClient implements Disposable {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false });

  constructor(url: string) {
    this.#url = url;
  }

  async send({ method, path, token, body, contentType, headers }: TokenRequest): Promise<TokenResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<TokenResponse>();
    const type = body === undefined ? {} : { 'content-type': contentType ?? 'application/json' };
    const all = { accept: 'application/json', authorization: `Bearer ${token}`, ...type, ...headers };
    const call = request(`${this.#url}${path}`, { method, agent: this.#agent, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body: parsed(text) }));
    });
    call.setTimeout(20_000, () => call.destroy(new Error(`no answer to ${method} ${path}`)));
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
    return await promise;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

function parsed(text: string): JsonObject | string {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return text;
  }
}
