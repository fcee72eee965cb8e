import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { jsonOf, startHttpsServer } from '../https-server.ts';
import { ways } from './ask-who.ts';
import { issuer, kubeconfigOf, review, serverNames, startServers } from './both-servers.ts';

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: { readonly token: string; readonly audiences?: readonly string[] };
}

const opened = new AsyncDisposableStack();
const seen: { readonly path: string; readonly authorization: string | undefined; readonly review: Review }[] = [];
let urls: { readonly [name: string]: string };

const user = { username: 'wil', uid: 'w1', groups: ['g1', 'g2'], extra: { 'example.org/a': ['b', 'c'] } };

/** By token: the status of the review, or an HTTP status. */
const answers: { readonly [token: string]: JsonObject | number } = {
  good: { authenticated: true, user },
  bare: { authenticated: true, user: { username: 'wanda' } },
  unknown: { authenticated: false },
  unsure: { authenticated: true, error: 'it is said', user },
  refused: { authenticated: false, error: 'the token is from yesterday' },
  audience: { authenticated: true, user, audiences: ['somebody else'] },
  ours: { authenticated: true, user, audiences: ['somebody else', 'https://kubernetes.default.svc'] },
  forbidden: 403,
  lost: 404,
};

beforeAll(async () => {
  const made = await startServers(async (folder, name) => {
    const server = await startHttpsServer({ folder: join(folder, 'webhook') }, (request, response) => {
      void jsonOf<Review>(request).then((asked) => {
        seen.push({ path: `${name}${request.url}`, authorization: request.headers.authorization, review: asked });
        const answer = answers[asked.spec.token] ?? { authenticated: false };
        if (typeof answer === 'number') response.writeHead(answer).end('no');
        else response.end(JSON.stringify({ ...asked, status: answer }));
      });
    });
    opened.use(server);
    const url = `${server.url}/review/`;
    const file = join(folder, `${name}.webhook`);
    await writeFile(file, kubeconfigOf(url, server.authority, { token: 'hush' }));
    return [`--authentication-token-webhook-config-file=${file}`, '--authentication-token-webhook-version=v1'];
  });
  opened.use(made);
  urls = made.urls;
}, 120_000);

afterAll(() => opened.disposeAsync());

const info = { ...user, groups: ['g1', 'g2', 'system:authenticated'] };
const invalid = 'invalid bearer token';

describe.each(serverNames)('%s', (name) => {
  test.each([
    ['good', 'wil uid=w1 groups=g1,g2 example.org/a=b,c', { authenticated: true, user: info, audiences: [issuer] }],
    [
      'bare',
      'wanda',
      { authenticated: true, user: { username: 'wanda', groups: ['system:authenticated'] }, audiences: [issuer] },
    ],
    ['unknown', '401', { user: {}, error: invalid }],
    ['unsure', 'wil uid=w1 groups=g1,g2 example.org/a=b,c', { authenticated: true, user: info, audiences: [issuer] }],
    ['refused', '401', { user: {}, error: `[${invalid}, the token is from yesterday]` }],
    ['audience', '401', { user: {}, error: invalid }],
    ['ours', 'wil uid=w1 groups=g1,g2 example.org/a=b,c', { authenticated: true, user: info, audiences: [issuer] }],
    ['forbidden', '401', { user: {}, error: `[${invalid}, no]` }],
    ['lost', '401', { user: {}, error: `[${invalid}, the server could not find the requested resource]` }],
  ])('the token %s', async (token, said, status) => {
    const url = urls[name] ?? '';
    for (const [way, ask] of Object.entries(ways)) {
      if (way === 'WebSocket') continue;
      expect(await ask(url, { headers: [['authorization', `Bearer ${token}`]] }), way).toBe(said);
    }
    expect(await review(url, token)).toEqual(status);
  });

  test('known and unknown tokens are cached, refused ones are not', () => {
    const mine = seen.filter(({ path }) => path.startsWith(name));
    const times = (token: string): number => mine.filter(({ review: { spec } }) => spec.token === token).length;
    expect(['good', 'unknown', 'audience', 'refused', 'lost'].map(times)).toEqual([1, 1, 1, 3, 3]);
  });

  test('the webhook gets the token and the audiences', () => {
    const [first] = seen.filter(({ path }) => path.startsWith(name));
    expect(first).toMatchObject({
      path: `${name}/review?timeout=30s`,
      authorization: 'Bearer hush',
      review: {
        kind: 'TokenReview',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: {},
        spec: { audiences: [issuer] },
        status: { user: {} },
      },
    });
  });
});
