import { expect, test } from 'vitest';
import { parseServer } from './servers.ts';
import { requireUsableVersion } from './version.ts';

test.each([
  ['http://127.0.0.1:2379', { at: { host: '127.0.0.1', port: 2379 }, tls: false }],
  ['https://etcd.example:23790/', { at: { host: 'etcd.example', port: 23_790 }, tls: true }],
  ['https://[fd00::1]:2379', { at: { host: 'fd00::1', port: 2379 }, tls: true }],
  ['etcd.example', { at: { host: 'etcd.example', port: 2379 }, tls: true }],
  ['unix:///run/etcd.sock', { at: { path: '/run/etcd.sock' }, tls: true }],
])('%s', (text, expected) => {
  expect(parseServer(text, true)).toEqual({ name: text, ...expected });
});

test('without TLS files an address without a scheme is plain text', () => {
  expect(parseServer('10.0.0.1:2379', false)).toMatchObject({ tls: false });
});

test.each(['ftp://a', 'http://', 'http://a:99999', 'a:b', 'http://a/b', ''])('%j is refused', (text) => {
  expect(() => parseServer(text, false)).toThrow('is not the address of an etcd server');
});

test.each(['3.5.13', '3.5.21', '3.6.0', '3.7.3', '3.4.31', '4.0.0', '3.6.0-rc.1'])('etcd %s is used', (version) => {
  expect(() => requireUsableVersion(version)).not.toThrow();
});

test.each(['3.5.12', '3.4.30', '3.3.27', '2.3.8', ''])('etcd %s is refused', (version) => {
  expect(() => requireUsableVersion(version)).toThrow('3.5.13 or newer is required');
});
