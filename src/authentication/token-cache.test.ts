import { afterEach, expect, test, vi } from 'vitest';
import type { Identity } from '../api/contracts/authentication.ts';
import { Metric, type MetricDefinition } from '../api/metrics/metric.ts';
import { unauthorized } from '../api/errors/status-errors.ts';
import { cachedTokens } from './token-cache.ts';
import { tokenCacheMetrics } from './token-cache-metrics.ts';

const cache = 'authentication_token_cache_';
const identity: Identity = { user: { name: 'ann', uid: '', groups: [], extra: {} } };

afterEach(() => {
  vi.useRealTimers();
});

function counting(answer: () => Identity | undefined | Promise<Identity | undefined>) {
  const reviewed: string[] = [];
  const counted: Metric[] = [];
  const metric = (definition: MetricDefinition): Metric => {
    const made = new Metric(definition);
    counted.push(made);
    return made;
  };
  const tokens = cachedTokens(
    {
      authenticate({ token }) {
        reviewed.push(token);
        return answer();
      },
    },
    { metrics: tokenCacheMetrics({ metric }), name: 'all' },
  );
  const counts = (): object =>
    Object.fromEntries(
      counted
        .filter(({ definition }) => definition.type !== 'histogram')
        .flatMap(({ definition, values }) =>
          [...values].map(({ labels, value }) => [`${definition.name} ${labels['status']}`, value]),
        ),
    );
  return { reviewed, tokens, counts };
}

test('a known token is cached for ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { reviewed, tokens } = counting(() => Promise.resolve(identity));
  await tokens.authenticate({ token: 'a', audiences: [] });
  expect(tokens.authenticate({ token: 'a', audiences: [] })).toBe(identity);
  vi.advanceTimersByTime(10_000);
  await tokens.authenticate({ token: 'a', audiences: [] });
  expect(reviewed).toEqual(['a', 'a']);
});

test('other audiences are cached separately', async () => {
  const { reviewed, tokens } = counting(() => identity);
  await tokens.authenticate({ token: 'a', audiences: [] });
  await tokens.authenticate({ token: 'a', audiences: ['x'] });
  expect(reviewed).toHaveLength(2);
});

test('unknown and refused tokens are not cached', () => {
  const unknown = counting(() => undefined);
  const refusing = counting(() => {
    throw unauthorized();
  });
  for (let turn = 0; turn < 2; turn += 1) {
    expect(unknown.tokens.authenticate({ token: 'a', audiences: [] })).toBeUndefined();
    expect(() => refusing.tokens.authenticate({ token: 'a', audiences: [] })).toThrow('Unauthorized');
  }
  expect([unknown.reviewed.length, refusing.reviewed.length]).toEqual([2, 2]);
  expect(refusing.counts()).toMatchObject({ [`${cache}fetch_total error`]: 2, [`${cache}request_total miss`]: 2 });
});

test('hits, misses and verifications are counted', async () => {
  const { promise, resolve } = Promise.withResolvers<Identity>();
  const { tokens, counts } = counting(() => promise);
  const shown = { token: 'a', audiences: [] };
  const waiting = [tokens.authenticate(shown), tokens.authenticate(shown)];
  expect(counts()).toEqual({ [`${cache}active_fetch_count in_flight`]: 1, [`${cache}active_fetch_count blocked`]: 2 });
  resolve(identity);
  for (const each of waiting) await each;
  await tokens.authenticate(shown);
  expect(counts()).toEqual({
    [`${cache}request_total hit`]: 1,
    [`${cache}request_total miss`]: 2,
    [`${cache}fetch_total ok`]: 1,
    [`${cache}active_fetch_count in_flight`]: 0,
    [`${cache}active_fetch_count blocked`]: 0,
  });
});
