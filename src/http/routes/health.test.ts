import { expect, test } from 'vitest';
import { checkHealth, checkOne, type HealthCheck } from './health.ts';

const checks: readonly HealthCheck[] = [
  { name: 'ping', check: () => {} },
  { name: 'kms-provider-0', group: 'kms-providers', check: () => {} },
];

async function bodyWithout(...excluded: string[]): Promise<string> {
  const query = { verbose: true, excluded: new Set(excluded), observe: () => {} };
  return (await checkHealth('livez', checks, query)).body;
}

test('names of no check that is to be left out are told in order', async () => {
  expect(await bodyWithout('none', 'ping', 'a"b')).toBe(
    [
      '[+]ping excluded: ok',
      '[+]kms-provider-0 ok',
      String.raw`warn: some health checks cannot be excluded: no matches for "a\"b","none"`,
      'livez check passed',
      '',
    ].join('\n'),
  );
});

test('a group whose checks are all left out by name has no match', async () => {
  expect(await bodyWithout('kms-provider-0', 'kms-providers')).toContain('no matches for "kms-providers"\n');
  expect(await bodyWithout('kms-providers')).toContain('[+]kms-provider-0 excluded with kms-providers: ok\n');
});

test('a single check tells why it fails', async () => {
  const check = { name: 'shutdown', check: () => Promise.reject(new Error('process is shutting down')) };
  expect(await checkOne(check)).toEqual({ code: 500, body: 'internal server error: process is shutting down\n' });
});
