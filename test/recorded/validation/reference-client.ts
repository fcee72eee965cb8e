import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';

import type { JsonObject } from '../../../src/api/json/json.ts';
import type { WriteResponse } from './answer.ts';

/** Sends requests as the administrator of a reference server started by `up` in a folder. */
export class ReferenceClient implements Disposable {
  readonly #agent: Agent;
  readonly #port: string;

  constructor(stateDir: string, port: string) {
    const pki = (name: string): Buffer => readFileSync(join(stateDir, 'pki', name));
    this.#agent = new Agent({ ca: pki('ca.crt'), cert: pki('admin.crt'), key: pki('admin.key'), keepAlive: true });
    this.#port = port;
  }

  async send(method: string, path: string, body?: JsonObject): Promise<WriteResponse> {
    const headers = { 'content-type': 'application/json' };
    const outgoing = request({ host: '127.0.0.1', port: this.#port, path, method, agent: this.#agent, headers });
    const { promise, resolve, reject } = Promise.withResolvers<WriteResponse>();
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const warnings = response.rawHeaders.filter((_, index, all) => all[index - 1]?.toLowerCase() === 'warning');
        // Unknown APIs get a plain text response.
        const isJson = response.headers['content-type']?.startsWith('application/json') === true;
        const body = isJson ? (JSON.parse(text) as JsonObject) : { message: text };
        resolve({ code: response.statusCode ?? 0, body, warnings });
      });
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
