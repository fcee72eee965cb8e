import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { JsonObject } from '../../src/api/json.ts';
import { jsonOf, startHttpsServer } from '../https-server.ts';

export interface Review {
  readonly kind: string;
  readonly apiVersion: string;
  readonly request: JsonObject & { readonly uid: string };
}

/** What a webhook does with a review. */
export type Answer =
  /** The `response` of an AdmissionReview, but for its uid. */
  | { readonly response: JsonObject }
  /** Any answer. */
  | { readonly code?: number; readonly body: unknown; readonly headers?: { readonly [name: string]: string } }
  /** The connection is cut, at once or after a part of the answer; nothing comes, or a byte now and then. */
  | { readonly nothing: 'cut' | 'half' | 'silence' | 'drip' };

export type Answers = (path: string, review: Review) => Answer;

export interface ReceivedReview {
  readonly path: string;
  readonly query: string;
  readonly review: Review;
}

/** An HTTPS server for webhooks. */
export interface HookServer extends AsyncDisposable {
  readonly url: string;
  /** PEM in Base64. */
  readonly caBundle: string;
  readonly received: ReceivedReview[];
}

export async function startHookServer(folder: string, answers: Answers): Promise<HookServer> {
  const received: ReceivedReview[] = [];
  const options = { folder: join(folder, 'hooks'), dnsNames: ['hooks.hooks.svc'] };
  const server = await startHttpsServer(options, (request, response) => {
    void jsonOf<Review>(request)
      .catch(noReview)
      .then((review) => {
        const [path = '', query = ''] = (request.url ?? '').split('?');
        received.push({ path, query, review });
        const answer = answers(path, review);
        if ('nothing' in answer) {
          fail(answer.nothing, request, response);
          return;
        }
        const body = 'response' in answer ? reviewed(review, answer.response) : answer.body;
        const code = 'code' in answer ? (answer.code ?? 200) : 200;
        const isText = typeof body === 'string';
        const type = { 'content-type': isText ? 'text/plain' : 'application/json' };
        response.writeHead(code, { ...type, ...('headers' in answer ? answer.headers : {}) });
        response.end(isText ? body : JSON.stringify(body));
      });
  });
  return {
    ...{ url: server.url, received, caBundle: Buffer.from(server.authority).toString('base64') },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** What follows a redirection may have no body. */
function noReview(): Review {
  return { kind: '', apiVersion: '', request: { uid: '' } };
}

const dripMs = 200;

function fail(how: 'cut' | 'half' | 'silence' | 'drip', { socket }: IncomingMessage, response: ServerResponse): void {
  if (how === 'cut') socket.destroy();
  if (how === 'half') response.writeHead(200, { 'content-length': '100' }).write('{"kind":', () => socket.destroy());
  if (how !== 'drip') return;
  const timer = setInterval(() => response.write(' '), dripMs);
  response.once('close', () => clearInterval(timer));
}

function reviewed({ kind, apiVersion, request: { uid } }: Review, response: JsonObject): JsonObject {
  return { kind, apiVersion, response: { uid, ...response } };
}
