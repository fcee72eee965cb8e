import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { load } from 'js-yaml';
import type { JsonObject } from '../../../src/api/json/json.ts';

export interface ReferenceResponse {
  readonly code: number;
  readonly body: JsonObject;
}

export interface Call {
  readonly method?: string;
  readonly body?: JsonObject;
  readonly contentType?: string;
  readonly accept?: string;
}

interface Kubeconfig {
  readonly clusters: readonly { cluster: { server: string; 'certificate-authority': string } }[];
  readonly users: readonly { user: { 'client-certificate': string; 'client-key': string } }[];
}

/** A client for the server in a kubeconfig of `reference/up`. */
export class ReferenceClient {
  readonly #server: string;
  readonly #agent: Agent;

  constructor(kubeconfigPath: string) {
    // Written by `reference/up` in this form.
    const { clusters, users } = load(readFileSync(kubeconfigPath, 'utf8')) as Kubeconfig;
    const [cluster] = clusters;
    const [user] = users;
    if (cluster === undefined || user === undefined) throw new Error(`${kubeconfigPath} names no cluster or no user`);
    this.#server = cluster.cluster.server;
    this.#agent = new Agent({
      keepAlive: true,
      ca: readFileSync(cluster.cluster['certificate-authority']),
      cert: readFileSync(user.user['client-certificate']),
      key: readFileSync(user.user['client-key']),
    });
  }

  send(path: string, { method = 'GET', body, contentType, accept }: Call = {}): Promise<ReferenceResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<ReferenceResponse>();
    const headers = { 'content-type': contentType ?? 'application/json', accept: accept ?? 'application/json' };
    const outgoing = request(this.#server + path, { agent: this.#agent, method, headers }, async (response) => {
      try {
        const text = (await response.setEncoding('utf8').toArray()).join('');
        // The reference responds to these requests with JSON objects.
        resolve({ code: response.statusCode ?? 0, body: JSON.parse(text) as JsonObject });
      } catch (error) {
        reject(error);
      }
    });
    outgoing.on('error', reject).end(body && JSON.stringify(body));
    return promise;
  }

  /** Like `send`, but throws unless it succeeds. */
  async must(path: string, call: Call = {}): Promise<JsonObject> {
    const { code, body } = await this.send(path, call);
    if (code >= 300) throw new Error(`${call.method ?? 'GET'} ${path}: ${code} ${String(body['message'])}`);
    return body;
  }

  close(): void {
    this.#agent.destroy();
  }
}
