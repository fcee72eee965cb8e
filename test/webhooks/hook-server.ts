import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/api/json/json.ts';
import { jsonOf, startHttpsServer } from '../https-server.ts';

export interface Review {
  readonly kind: string;
  readonly apiVersion: string;
  readonly request: JsonObject & { readonly uid: string };
}

/** What a webhook does with a review. */
export type HookResponse =
  /** The `response` of an AdmissionReview, but for its uid. */
  | { readonly response: JsonObject; readonly delayMs?: number; readonly headers?: Headers }
  /** Any answer; text and bytes are sent unchanged. */
  | { readonly code?: number; readonly body: unknown; readonly headers?: Headers }
  /** Any bytes in place of HTTP, in parts of TCP; then the connection ends. */
  | { readonly raw: readonly string[] }
  /** The connection is cut, at once or after a part of the answer; nothing comes, or a byte now and then. */
  | { readonly nothing: 'cut' | 'half' | 'silence' | 'drip' };

interface Headers {
  readonly [name: string]: string;
}

export type Responder = (path: string, review: Review) => HookResponse;

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

export async function startHookServer(folder: string, answers: Responder): Promise<HookServer> {
  const received: ReceivedReview[] = [];
  const options = { folder: join(folder, 'hooks'), dnsNames: ['hooks.hooks.svc'] };
  const server = await startHttpsServer(options, (request, response) => {
    void jsonOf<Review>(request)
      .catch(noReview)
      .then((review) => {
        const [path = '', query = ''] = (request.url ?? '').split('?');
        received.push({ path, query, review });
        void respond(answers(path, review), review, { request, response });
      });
  });
  return {
    url: server.url,
    received,
    caBundle: Buffer.from(server.authority).toString('base64'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function respond(answer: HookResponse, review: Review, { request, response }: Exchange): Promise<void> {
  if ('nothing' in answer) return fail(answer.nothing, request, response);
  if ('raw' in answer) return await sendRaw(answer.raw, request);
  if ('delayMs' in answer) await sleep(answer.delayMs);
  const body = 'response' in answer ? reviewed(review, answer.response) : answer.body;
  const isText = typeof body === 'string' || body instanceof Uint8Array;
  const type = { 'content-type': isText ? 'text/plain' : 'application/json' };
  const { headers = {} } = answer;
  response.writeHead('code' in answer ? (answer.code ?? 200) : 200, { ...type, ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

const partsMs = 50;

async function sendRaw(parts: readonly string[], { socket }: IncomingMessage): Promise<void> {
  for (const part of parts) {
    socket.write(part, 'latin1');
    await sleep(partsMs);
  }
  socket.end();
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
