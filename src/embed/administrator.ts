import { connect, type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { JsonObject } from '../api/json/json.ts';
import { encodeRaw } from '../api/json/json-text.ts';
import type { ServerAccess } from '../authentication/pki/kubeconfig.ts';

export interface ApiResponse {
  readonly code: number;
  readonly body: JsonObject;
}

/** Why a request was refused. */
export function refusal({ code, body: { message } }: ApiResponse): string {
  return typeof message === 'string' ? message : `the server answered ${code}`;
}

/** The field manager of what options contain. */
export const fieldManager = 'binnacle';

/** Requests to a server of this process, as its administrator and through everything that other clients go through. */
export class Administrator implements Disposable {
  readonly #access: ServerAccess;
  /** Open sessions. A session that the server asks to end does so with its last stream. */
  readonly #sessions = new Set<ClientHttp2Session>();

  constructor(access: ServerAccess) {
    this.#access = access;
  }

  /** `contentType` is that of the body, JSON by default. */
  async send(method: string, path: string, body?: JsonObject, contentType = 'application/json'): Promise<ApiResponse> {
    const stream = this.#open(method, path, body === undefined ? {} : { 'content-type': contentType });
    stream.end(body === undefined ? undefined : encodeRaw(body));
    return responseOf(stream);
  }

  /** The aggregated discovery document of `/api` or `/apis`. */
  async discover(path: string): Promise<JsonObject> {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const stream = this.#open('GET', path, { accept });
    stream.end();
    return (await responseOf(stream)).body;
  }

  /** A server-side apply to the path of an object. */
  apply(path: string, object: JsonObject): Promise<ApiResponse> {
    const forced = `${path}?fieldManager=${fieldManager}&force=true`;
    return this.send('PATCH', forced, object, 'application/apply-patch+yaml');
  }

  /** The objects of a watch's events, until the consumer stops. */
  async *watch(path: string): AsyncGenerator<JsonObject> {
    const stream = this.#open('GET', path, {});
    stream.end();
    try {
      const code = await codeOf(stream);
      if (code !== 200) throw new Error(`GET ${path}: ${await text(stream)}`);
      for await (const line of createInterface({ input: stream })) {
        yield (JSON.parse(line) as { readonly object: JsonObject }).object; // the form of a watch event
      }
    } finally {
      stream.close(constants.NGHTTP2_CANCEL);
    }
  }

  [Symbol.dispose](): void {
    for (const session of this.#sessions) session.destroy();
  }

  #open(method: string, path: string, headers: { readonly [name: string]: string }): ClientHttp2Stream {
    const requested = { ':method': method, ':path': path, accept: 'application/json', ...headers };
    return this.#session().request(requested, { endStream: false });
  }

  /** A server with several threads tells connections to come again. */
  #session(): ClientHttp2Session {
    const open = [...this.#sessions].find(({ closed, destroyed }) => !closed && !destroyed);
    if (open !== undefined) return open;
    const { serverUrl, authority, tlsServerName, user } = this.#access;
    const credentials = { ca: authority, cert: user.certificate, key: user.key };
    const name = tlsServerName === undefined ? {} : { servername: tlsServerName };
    const session = connect(serverUrl, { ...credentials, ...name });
    this.#sessions.add(session);
    // Streams report it.
    session.on('error', () => undefined);
    session.once('close', () => this.#sessions.delete(session));
    return session;
  }
}

async function responseOf(stream: ClientHttp2Stream): Promise<ApiResponse> {
  const code = await codeOf(stream);
  const response = await text(stream);
  return { code, body: JSON.parse(response === '' ? '{}' : response) as JsonObject }; // the server answers with objects
}

function codeOf(stream: ClientHttp2Stream): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  stream.once('response', (headers) => resolve(Number(headers[':status'])));
  stream.once('error', reject);
  stream.once('close', () => reject(new Error('the connection ended without an answer')));
  return promise;
}
