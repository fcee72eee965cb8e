import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TokenClient } from '../authorization/token-client.ts';
import { ways } from './ask-who.ts';
import { root, serverNames, type Servers, startServers } from './both-servers.ts';

let servers: Servers;

beforeAll(async () => {
  servers = await startServers(() => Promise.resolve([]));
}, 120_000);

afterAll(() => servers[Symbol.asyncDispose]());

const counter =
  /^(auth(?:entication_attempts|orization_attempts_total|enticat(?:ed_user_requests|ion_duration_seconds_count)|orization_duration_seconds_count)\{.*\}) (\d+)$/gm;

async function counts(url: string): Promise<ReadonlyMap<string, number>> {
  using client = new TokenClient(url);
  const { body } = await client.send({ method: 'GET', path: '/metrics', token: root });
  return new Map([...(body as string).matchAll(counter)].map(([, name = '', value]) => [name, Number(value)]));
}

describe.each(serverNames)('%s', (name) => {
  test('counts who is authenticated, and what is authorized', async () => {
    const url = servers.urls[name] ?? '';
    const before = await counts(url);
    const shown = (token: string) => ({ headers: [['authorization', `Bearer ${token}`]] as const });
    for (const showing of [shown('tok-tom'), shown('tok-tom'), shown('wrong'), {}]) {
      // oxlint-disable-next-line no-await-in-loop -- they are few
      await ways['HTTP/1.1']?.(url, showing);
    }
    const after = await counts(url);
    const more = (series: string): number => (after.get(series) ?? 0) - (before.get(series) ?? 0);
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
});
