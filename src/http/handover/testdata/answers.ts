import { createHash } from 'node:crypto';
import { StatusError } from '../../../api/errors/status.ts';
import type { Exchange, ResponseStream } from '../../transport/exchange.ts';

/** What a test asks of the thread that serves a request, as the query of its path. */
export type Plan = { readonly [name: string]: string | number };

/** Serves requests as their paths say; `tell` is told what only the server sees. */
export function answers(tell: (what: string) => void): (exchange: Exchange) => void {
  return (exchange) => {
    void answer(exchange, tell)
      .catch((error: unknown) => refuse(exchange, error))
      .finally(() => exchange.release?.());
  };
}

async function answer(exchange: Exchange, tell: (what: string) => void): Promise<void> {
  const plan = new URLSearchParams(exchange.query);
  const number = (name: string, absent: number): number => Number(plan.get(name) ?? absent);
  if (plan.has('end-connection')) exchange.endConnection?.();
  switch (exchange.path) {
    case '/echo': {
      const body = await exchange.readBody({
        limitBytes: number('limit', 1 << 22),
        remainingMs: number('remaining', 30_000),
        share: { take: () => (plan.has('wait') ? new Promise((resolve) => setTimeout(resolve, 1)) : undefined) },
      });
      const seen = JSON.stringify({ ...seenOf(exchange), body: digest(body), sizeBytes: body.length });
      return exchange.respond(number('status', 200), { 'x-sized': seen.length, 'x-many': ['a', 'b'] }, seen);
    }
    case '/pass': {
      const response = exchange.start(200, {}, plan.has('trailers') ? () => ({ 'x-end': String(sent) }) : undefined);
      let sent = 0;
      for await (const chunk of exchange.takeBody() ?? []) sent += await write(response, chunk as Buffer);
      return response.end();
    }
    case '/chunks': {
      const response = exchange.start(200, { 'content-type': 'text/plain' });
      for (const size of (plan.get('sizes') ?? '').split(',')) await write(response, chunkOf(Number(size), plan));
      tell(`sent ${exchange.sentBytes}`);
      return plan.has('abort') ? exchange.abort() : response.end();
    }
    case '/large':
      return exchange.respond(200, {}, chunkOf(number('size', 0), plan));
    case '/abort':
      return exchange.abort();
    case '/throw':
      throw new Error('a bug');
    default:
      return watch(exchange, tell);
  }
}

/** Writes as long as there is room, and tells how much that was and how the exchange ended. */
async function watch(exchange: Exchange, tell: (what: string) => void): Promise<void> {
  const plan = new URLSearchParams(exchange.query);
  const closed = Promise.withResolvers<void>();
  exchange.onStart = () => tell('started');
  exchange.onClose(() => {
    tell(`closed ${exchange.closed}`);
    closed.resolve();
  });
  tell('begun');
  if (exchange.path === '/silent') return closed.promise;
  const response = exchange.start(200, {});
  const size = Number(plan.get('size') ?? 1);
  if (exchange.path === '/quiet') response.write('x'.repeat(size));
  else {
    while (response.write(Buffer.alloc(size)) && !exchange.closed);
    tell(`full ${exchange.sentBytes}`);
    const stallMs = plan.get('stall');
    await (stallMs === null ? response.drained() : response.drained(Number(stallMs)));
    tell('drained');
    if (plan.has('end')) response.end();
  }
  return closed.promise;
}

async function write(response: ResponseStream, chunk: Buffer): Promise<number> {
  if (!response.write(chunk)) await response.drained();
  return chunk.length;
}

function chunkOf(size: number, plan: URLSearchParams): Buffer {
  return plan.has('shared') ? Buffer.from(new SharedArrayBuffer(size)).fill('s') : Buffer.alloc(size, 'o');
}

function seenOf(exchange: Exchange): object {
  const { method, path, query, httpVersion, remoteAddress, host, rawHeaders, hasBody, started, closed } = exchange;
  return {
    method,
    path,
    query,
    httpVersion,
    remoteAddress,
    host,
    rawHeaders,
    hasBody,
    started,
    closed,
    values: rawHeaders.filter((_, index) => index % 2 === 0).map((name) => exchange.header(name.toLowerCase()) ?? null),
    like: [exchange.headersLike('x-'), exchange.hasHeaderLike('x-'), exchange.hasHeaderLike('impersonate-')],
    peer: exchange.peer()?.map(digest) ?? null,
    token: exchange.webSocketToken ?? null,
    may: [exchange.endConnection !== undefined, exchange.release !== undefined, exchange.isHijacked],
  };
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64');
}

function refuse(exchange: Exchange, error: unknown): void {
  if (exchange.started) return exchange.abort();
  const status = error instanceof StatusError ? error.status : { code: 500, message: String(error) };
  exchange.respond(status.code, {}, JSON.stringify(status));
}
