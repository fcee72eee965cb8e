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
  /** The connection is cut, or nothing comes. */
  | { readonly nothing: 'cut' | 'silence' };

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
    void jsonOf<Review>(request).then((review) => {
      const [path = '', query = ''] = (request.url ?? '').split('?');
      received.push({ path, query, review });
      const answer = answers(path, review);
      if ('nothing' in answer) {
        if (answer.nothing === 'cut') request.socket.destroy();
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

function reviewed({ kind, apiVersion, request: { uid } }: Review, response: JsonObject): JsonObject {
  return { kind, apiVersion, response: { uid, ...response } };
}
