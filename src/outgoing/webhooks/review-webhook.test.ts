import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '../../api/clock.ts';
import { Measure, type MeasureDefinition } from '../../api/measure.ts';
import { openReviewWebhook } from './review-webhook.ts';
import { type Backoff, withRetries } from '../retries.ts';

/** A local server that records what it receives. */
async function listening(answer: RequestListener) {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    request.resume();
    request.on('end', () => answer(request, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    seen,
    url: `http://127.0.0.1:${port}/review`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function open(url: string, user: object = {}, timeoutMs?: number) {
  const text = JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: [{ name: 'k', cluster: { server: url } }],
    users: [{ name: 'u', user }],
  });
  const readFile = (): Promise<string> => Promise.resolve(text);
  const measure = (definition: MeasureDefinition): Measure => new Measure(definition);
  const context = { clock: systemClock, readFile, onStop: () => {}, measure };
  return openReviewWebhook({ path: '/f', context, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

const fast: Backoff = { firstDelayMs: 1, factor: 1.5, jitter: 0.2, attempts: 5 };

test('a review gets a response, and the token is sent', async () => {
  await using server = await listening((_, response) => response.end('{"status":{}}'));
  const webhook = await open(server.url, { token: 'secret' });
  expect((await webhook.post({ kind: 'TokenReview' })).value).toEqual({ status: {} });
  expect(server.seen[0]).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' });
});

test('transient failures are retried up to five times, others are not', async () => {
  let code = 500;
  await using server = await listening((_, response) => response.writeHead(code).end('no\n'));
  const webhook = await open(server.url);
  await expect(withRetries(() => webhook.post({}), fast)).rejects.toThrow(
    'an error on the server ("no") has prevented the request from succeeding',
  );
  expect(server.seen).toHaveLength(5);
  code = 401;
  await expect(withRetries(() => webhook.post({}), fast)).rejects.toThrow(
    'the server has asked for the client to provide credentials',
  );
  expect(server.seen).toHaveLength(6);
});

test('a server that comes back after a while is reached', async () => {
  let failures = 2;
  await using server = await listening((request, response) => {
    failures -= 1;
    if (failures >= 0) request.socket.destroy();
    else response.end('{"ok":true}');
  });
  const webhook = await open(server.url);
  expect((await withRetries(() => webhook.post({}), fast)).value).toEqual({ ok: true });
});

test('a server that does not respond times out', async () => {
  await using server = await listening(() => {});
  const webhook = await open(server.url, {}, 50);
  await expect(webhook.post({})).rejects.toThrow(`Post "${server.url}?timeout=0.05s": context deadline exceeded`);
});

test.each([
  ['an array', '[]', 'the response is not an object'],
  ['no JSON', 'hello', 'invalid character'],
])('a response that is %s is invalid', async (_, body, message) => {
  await using server = await listening((_request, response) => response.end(body));
  const webhook = await open(server.url);
  await expect(webhook.post({})).rejects.toThrow(message);
});

test('a Status gives the reason', async () => {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    message: 'go away',
    reason: 'Forbidden',
    code: 403,
  };
  await using server = await listening((_, response) => response.writeHead(403).end(JSON.stringify(status)));
  const webhook = await open(server.url);
  await expect(webhook.post({})).rejects.toThrow('go away');
});
