import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { etcdArguments, etcdHelp } from './etcd-arguments.ts';

function read(args: readonly string[], environment: NodeJS.ProcessEnv = {}): unknown {
  const { dataDir, clientUrls, syncs } = etcdArguments(args, environment);
  return { dataDir, urls: clientUrls.map(({ origin }) => origin), syncs };
}

test('flags are read as Go reads them', () => {
  const parsed = { dataDir: '/data', urls: ['http://127.0.0.1:1234'], syncs: false };
  const url = 'http://127.0.0.1:1234';
  expect(read(['--data-dir=/data', `--listen-client-urls=${url}`, '--unsafe-no-fsync=true'])).toEqual(parsed);
  expect(read(['-data-dir', '/data', '--listen-client-urls', url, '--unsafe-no-fsync'])).toEqual(parsed);
  const environment = { ETCD_DATA_DIR: '/data', ETCD_LISTEN_CLIENT_URLS: url, ETCD_UNSAFE_NO_FSYNC: 'true' };
  expect(read([], environment)).toEqual(parsed);
  expect(read(['--data-dir', '/other'], environment)).toEqual({ ...parsed, dataDir: '/other' });
});

test('without flags it is as with etcd', () => {
  expect(read([])).toEqual({ dataDir: resolve('default.etcd'), urls: ['http://localhost:2379'], syncs: true });
  expect(read(['--name=one', '--listen-client-urls=http://[::1]:1,http://0.0.0.0:2'])).toEqual({
    dataDir: resolve('one.etcd'),
    syncs: true,
    urls: ['http://[::1]:1', 'http://0.0.0.0:2'],
  });
});

test.each([
  { args: ['--unknown=1'], message: 'flag provided but not defined: -unknown' },
  { args: ['--data-dir'], message: 'flag needs an argument: -data-dir' },
  { args: ['--unsafe-no-fsync=perhaps'], message: 'invalid boolean value "perhaps" for -unsafe-no-fsync' },
  { args: ['start'], message: "'start' is not a valid flag" },
  { args: ['--listen-client-urls=https://127.0.0.1:1'], message: 'only http' },
  { args: ['--listen-client-urls=127.0.0.1'], message: 'is not a URL with a port' },
])('$args is refused', ({ args, message }) => {
  expect(() => etcdArguments(args, {})).toThrow(message);
});

test('the help shows a flag in each line', () => {
  const shown = [...etcdHelp.matchAll(/^\s*--([\w-]+)/gm)].map(([, name]) => name);
  expect(shown).toContain('unsafe-no-fsync');
  expect(new Set(shown).size).toBe(shown.length);
});
