import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { JsonObject } from '../../src/api/json.ts';
import { systemClock } from '../../src/api/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';

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
export class HookServer implements AsyncDisposable {
  readonly url: string;
  /** PEM in Base64. */
  readonly caBundle: string;
  readonly received: ReceivedReview[] = [];
  readonly #close: () => Promise<void>;

  private constructor(url: string, caBundle: string, close: () => Promise<void>) {
    this.url = url;
    this.caBundle = caBundle;
    this.#close = close;
  }

  static async start(folder: string, answers: Answers): Promise<HookServer> {
    const serverNames = { dnsNames: ['localhost', 'hooks.hooks.svc'], ipAddresses: ['127.0.0.1'] };
    const pki = await openCertificateStore({ folder: join(folder, 'hooks'), serverNames, clock: systemClock });
    const sockets = new Set<Socket>();
    const server = createServer({ key: pki.server.key, cert: pki.server.certificate }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const [path = '', query = ''] = (request.url ?? '').split('?');
        const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
        hooks.received.push({ path, query, review });
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
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const hooks: HookServer = new HookServer(
      `https://127.0.0.1:${port}`,
      Buffer.from(pki.authority).toString('base64'),
      async () => {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      },
    );
    return hooks;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

function reviewed({ kind, apiVersion, request: { uid } }: Review, response: JsonObject): JsonObject {
  return { kind, apiVersion, response: { uid, ...response } };
}
