import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TokenClient } from '../authorization/token-client.ts';
import { type Showing, ways } from './ask-who.ts';
import { root, serverNames, type Servers, startServers } from './both-servers.ts';

let servers: Servers;

beforeAll(async () => {
  servers = await startServers(() => Promise.resolve([]));
}, 120_000);

afterAll(() => servers[Symbol.asyncDispose]());

const counters = [
  'authentication_attempts',
  'authentication_duration_seconds_count',
  'authenticated_user_requests',
  'authorization_attempts_total',
  'authorization_duration_seconds_count',
  'authentication_token_cache_(?:request_total|request_duration_seconds_count|fetch_total|active_fetch_count)',
  'apiserver_impersonation_(?:authorization_)?attempts_(?:total|duration_seconds_count)',
];
const counter = new RegExp(`^((?:${counters.join('|')})\\{.*\\}) (\\d+)$`, 'gm');

async function counts(url: string): Promise<ReadonlyMap<string, number>> {
  using client = new TokenClient(url);
  const { body } = await client.send({ method: 'GET', path: '/metrics', token: root });
  return new Map([...(body as string).matchAll(counter)].map(([, name = '', value]) => [name, Number(value)]));
}

type More = (series: string) => number;

/** How much more the server counts after these requests. */
async function countsMore(url: string, showings: readonly Showing[]): Promise<More> {
  const before = await counts(url);
  for (const showing of showings) {
    // oxlint-disable-next-line no-await-in-loop -- they are few
    await ways['HTTP/1.1']?.(url, showing);
  }
  const after = await counts(url);
  return (series) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
}

const shown = (token: string, ...headers: readonly (readonly [string, string])[]): Showing => ({
  headers: [['authorization', `Bearer ${token}`], ...headers],
});

describe.each(serverNames)('%s', (name) => {
  test('counts who is authenticated, and what is authorized', async () => {
    const url = servers.urls[name] ?? '';
    const more = await countsMore(url, [shown('tok-tom'), shown('tok-tom'), shown('wrong'), {}]);
    // Servers ask themselves as well.
    expect(more('authenticated_user_requests{username="other"}')).toBeGreaterThanOrEqual(4);
    for (const kind of ['authentication_attempts', 'authentication_duration_seconds_count']) {
      expect(more(`${kind}{result="success"}`)).toBeGreaterThanOrEqual(4);
      expect(more(`${kind}{result="error"}`)).toBe(1);
    }
    for (const kind of ['authorization_attempts_total', 'authorization_duration_seconds_count']) {
      expect(more(`${kind}{result="allowed"}`)).toBeGreaterThanOrEqual(3);
      expect(more(`${kind}{result="no-opinion"}`)).toBe(1);
    }
  });

  test('counts cached tokens', async () => {
    const more = await countsMore(servers.urls[name] ?? '', [shown('wrong'), shown('tok-tom'), shown('tok-tom')]);
    const cache = 'authentication_token_cache_';
    for (const kind of ['request_total', 'request_duration_seconds_count']) {
      // The one that reads the metrics is known, and perhaps both others from before.
      expect(more(`${cache}${kind}{status="miss"}`)).toBeLessThanOrEqual(2);
      expect(more(`${cache}${kind}{status="hit"}`)).toBeGreaterThanOrEqual(2);
    }
    expect(more(`${cache}fetch_total{status="ok"}`)).toBe(more(`${cache}request_total{status="miss"}`));
    expect(more(`${cache}active_fetch_count{status="blocked"}`)).toBe(0);
    expect(more(`${cache}active_fetch_count{status="in_flight"}`)).toBe(0);
  });

  test('counts impersonation', async () => {
    const nobody = ['impersonate-user', 'nobody'] as const;
    const more = await countsMore(servers.urls[name] ?? '', [shown(root, nobody), shown('tok-tom', nobody)]);
    const attempts = (decision: string, mode: string): readonly number[] =>
      ['attempts', 'authorization_attempts'].flatMap((what) =>
        ['total', 'duration_seconds_count'].map((kind) =>
          more(`apiserver_impersonation_${what}_${kind}{decision="${decision}",mode="${mode}"}`),
        ),
      );
    expect({
      constrained: attempts('allowed', 'user-info'),
      refused: attempts('denied', 'user-info'),
      legacy: attempts('denied', 'legacy'),
      none: attempts('denied', ''),
    }).toEqual({ constrained: [1, 1, 2, 2], refused: [0, 0, 1, 1], legacy: [0, 0, 1, 1], none: [1, 1, 0, 0] });
  });
});
