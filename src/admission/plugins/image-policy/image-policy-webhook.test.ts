import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { AdmissionAttributes } from '../../../api/contracts/admission.ts';
import { systemClock } from '../../../api/time/clock.ts';
import type { JsonObject } from '../../../api/json/json.ts';
import { Metric } from '../../../api/metrics/metric.ts';
import { imagePolicyWebhook } from './image-policy-webhook.ts';

let server: Server;
let url: string;
const reviewed: JsonObject[] = [];
let failures = 0;

/** Images called `bad` are refused; the next `failures` answers are failures. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as { spec: { containers: { image: string }[] } };
      reviewed.push(review.spec as unknown as JsonObject);
      failures -= 1;
      const isBad = review.spec.containers.some(({ image }) => image === 'bad');
      response.writeHead(failures >= 0 ? 500 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...review, status: { allowed: !isBad, reason: isBad ? 'not this one' : '' } }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/images`;
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function plugin(defaultAllow: boolean, at = url) {
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: [{ name: 'k', cluster: { server: at } }],
    users: [{ name: 'u', user: {} }],
  };
  return imagePolicyWebhook(
    {
      readFile: () => Promise.resolve(JSON.stringify(kubeconfig)),
      clock: systemClock,
      onStop: () => undefined,
      metric: (definition) => new Metric(definition),
    },
    { kubeConfigFile: '/k', allowTtlMs: 1000, denyTtlMs: 500, retryBackoffMs: 1, defaultAllow },
  );
}

function attributes(image: string, annotations: Record<string, string> = {}): AdmissionAttributes {
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', annotations },
    spec: { containers: [{ name: 'c', image }], initContainers: [{ name: 'i', image: 'first' }] },
  };
  const where = { operation: 'CREATE', group: '', version: 'v1', resource: 'pods', subresource: '', namespace: 'n' };
  return { ...where, name: 'p', object } as unknown as AdmissionAttributes; // all that the plugin looks at
}

test('asks about all images, and keeps the answer for a while', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { validate } = await plugin(false);
  reviewed.length = 0;
  await validate?.(attributes('good', { 'a.image-policy.k8s.io/b': 'c', other: 'd' }));
  await validate?.(attributes('good', { 'a.image-policy.k8s.io/b': 'c', other: 'e' }));
  const containers = [{ image: 'good' }, { image: 'first' }];
  expect(reviewed).toEqual([{ containers, annotations: { 'a.image-policy.k8s.io/b': 'c' }, namespace: 'n' }]);
  vi.advanceTimersByTime(1000);
  await validate?.(attributes('good', { 'a.image-policy.k8s.io/b': 'c' }));
  expect(reviewed).toHaveLength(2);
});

test('refuses what the server refuses', async () => {
  const { validate } = await plugin(true);
  const message = 'pods "p" is forbidden: image policy webhook backend denied one or more images: not this one';
  await expect(validate?.(attributes('bad'))).rejects.toThrow(message);
});

test('tries again when the server fails', async () => {
  const { validate } = await plugin(false);
  reviewed.length = 0;
  failures = 2;
  await validate?.(attributes('again'));
  expect(reviewed).toHaveLength(3);
});

test('without an answer the configuration decides', async () => {
  const nowhere = 'http://127.0.0.1:1/';
  const strict = await plugin(false, nowhere);
  await expect(strict.validate?.(attributes('any'))).rejects.toThrow(
    /^pods "p" is forbidden: Post "http:\/\/127.0.0.1:1/,
  );
  const lax = await plugin(true, nowhere);
  const write = attributes('any');
  await lax.validate?.(write);
  expect(write.object?.metadata.annotations).toEqual({ 'alpha.image-policy.k8s.io/failed-open': 'true' });
});
