import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '../../api/time/clock.ts';
import { Metric, type MetricDefinition } from '../../api/metrics/metric.ts';
import type { ReviewForm } from './read-review.ts';
import { openReviewWebhook } from './review-webhook.ts';
import { type Retries, withRetries } from '../retries.ts';

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
  const metric = (definition: MetricDefinition): Metric => new Metric(definition);
  const context = { clock: systemClock, readFile, onStop: () => {}, metric };
  return openReviewWebhook({ path: '/f', context, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

const form: ReviewForm = {
  kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview' },
  knownVersions: ['v1beta1'],
  knowsBuiltIn: true,
};

const fast: Retries = { firstMs: 1, factor: 1.5, jitter: 0.2, attempts: 5 };

test('a review gets a response, and the token is sent', async () => {
  await using server = await listening((_, response) => response.end('{"status":{"authenticated":true}}'));
  const webhook = await open(server.url, { token: 'secret' });
  expect(await webhook.post({ kind: 'TokenReview' }, form)).toEqual({ status: { authenticated: true } });
  expect(server.seen[0]).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' });
});

test('transient failures are retried up to five times, others are not', async () => {
  let code = 500;
  await using server = await listening((_, response) => response.writeHead(code).end('no\n'));
  const webhook = await open(server.url);
  await expect(withRetries(() => webhook.post({}, form), fast)).rejects.toThrow(
    'an error on the server ("no") has prevented the request from succeeding',
  );
  expect(server.seen).toHaveLength(5);
  code = 401;
  await expect(withRetries(() => webhook.post({}, form), fast)).rejects.toThrow(
    'the server has asked for the client to provide credentials',
  );
  expect(server.seen).toHaveLength(6);
});

test('a server that comes back after a while is reached', async () => {
  let failures = 2;
  await using server = await listening((request, response) => {
    failures -= 1;
    if (failures >= 0) request.socket.destroy();
    else response.end('{"status":{"error":"no"}}');
  });
  const webhook = await open(server.url);
  expect(await withRetries(() => webhook.post({}, form), fast)).toEqual({ status: { error: 'no' } });
});

test('a server that does not respond times out', async () => {
  await using server = await listening(() => {});
  const webhook = await open(server.url, {}, 50);
  await expect(webhook.post({}, form)).rejects.toThrow(`Post "${server.url}?timeout=0.05s": context deadline exceeded`);
});

const kindStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const noKind = "couldn't get version/kind; json parse error:";

// The messages are those of kube-apiserver, in reviews that its webhooks have answered.
test.each([
  ['', '0-length response with status code: 200 and content type: application/json'],
  ['hello', `${noKind} json: cannot unmarshal string into Go value of type ${kindStruct}`],
  ['[]', `${noKind} json: cannot unmarshal array into Go value of type ${kindStruct}`],
  ['1', `${noKind} json: cannot unmarshal number into Go value of type ${kindStruct}`],
  ['}', 'yaml: did not find expected node content'],
  ['{', `${noKind} unexpected end of JSON input`],
  ['{"a":1,}', `${noKind} invalid character '}' looking for beginning of object key string`],
  ['{"kind":1}', `${noKind} json: cannot unmarshal number into Go struct field .kind of type string`],
  ['{"apiVersion":"a/b/c"}', 'unexpected GroupVersion string: a/b/c'],
  [
    '{"kind":"Other"}',
    'no kind "Other" is registered for version "authentication.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  ['{"kind":"Status"}', 'converting (v1.Status) to (v1.TokenReview): unknown conversion'],
  ['{"apiVersion":"v1","kind":"Pod"}', 'converting (v1.Pod) to (v1.TokenReview): unknown conversion'],
  [
    '{"apiVersion":"authentication.k8s.io/v1beta1"}',
    'converting (v1beta1.TokenReview) to (v1.TokenReview): unknown conversion',
  ],
  [
    '{"status":1}',
    'json: cannot unmarshal number into Go struct field TokenReview.status of type v1.TokenReviewStatus',
  ],
  [
    '{"status":{"user":{"groups":[1]}}}',
    'json: cannot unmarshal number into Go struct field UserInfo.status.user.groups of type string',
  ],
])('the response %j is invalid', async (body, message) => {
  await using server = await listening((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(body);
  });
  const webhook = await open(server.url);
  await expect(webhook.post({}, form)).rejects.toThrow(expect.objectContaining({ message }));
});

test.each([' ', 'null', '{}', '\ufeff{}', 'status: {}', '{"KIND":"TokenReview"}'])(
  'the response %j is a review without a verdict',
  async (body) => {
    await using server = await listening((_request, response) => response.end(body));
    expect((await (await open(server.url)).post({}, form))['status'] ?? {}).toEqual({});
  },
);

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
  await expect(webhook.post({}, form)).rejects.toThrow('go away');
});
