import { expect, test } from 'vitest';
import type { Identity } from '../api/authentication.ts';
import { unauthorized } from '../api/status-errors.ts';
import { cachedTokens } from './token-cache.ts';

const identity: Identity = { user: { name: 'ann', uid: '', groups: [], extra: {} } };

function counting(answer: () => Identity | undefined | Promise<Identity | undefined>) {
  const asked: string[] = [];
  let nowMs = 0;
  const tokens = cachedTokens(
    {
      authenticate({ token }) {
        asked.push(token);
        return answer();
      },
    },
    { now: () => nowMs },
  );
  return { asked, tokens, pass: (ms: number) => (nowMs += ms) };
}

test('a known token is cached for ten seconds', async () => {
  const { asked, tokens, pass } = counting(() => Promise.resolve(identity));
  await tokens.authenticate({ token: 'a', audiences: [] });
  expect(tokens.authenticate({ token: 'a', audiences: [] })).toBe(identity);
  pass(10_000);
  await tokens.authenticate({ token: 'a', audiences: [] });
  expect(asked).toEqual(['a', 'a']);
});

test('other audiences are cached separately', async () => {
  const { asked, tokens } = counting(() => identity);
  await tokens.authenticate({ token: 'a', audiences: [] });
  await tokens.authenticate({ token: 'a', audiences: ['x'] });
  expect(asked).toHaveLength(2);
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
  expect([unknown.asked.length, refusing.asked.length]).toEqual([2, 2]);
});
