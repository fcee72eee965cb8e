import { expect, it } from 'vitest';
import { readKubeconfig } from './kubeconfig.ts';

const config = (cluster: object | undefined, user: object = {}, current = 'c'): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': current,
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: cluster === undefined ? [] : [{ name: 'k', cluster }],
    users: [{ name: 'u', user }],
  });

const server = 'https://127.0.0.1:1/review';

it('relative paths are relative to the file', () => {
  const target = readKubeconfig(
    config(
      { server, 'certificate-authority': 'ca.crt' },
      { 'client-certificate': '../a.crt', 'client-key-data': 'YQ==' },
    ),
    '/etc/hooks/file',
  );
  expect(target.authority).toEqual({ path: '/etc/hooks/ca.crt' });
  expect(target.certificate).toEqual({ path: '/etc/a.crt' });
  expect(target.key).toEqual({ text: 'a' });
  expect(target.url.href).toBe(server);
});

it.each([
  ['127.0.0.1:8080', {}, 'http://127.0.0.1:8080/'],
  ['127.0.0.1:8080', { 'insecure-skip-tls-verify': true }, 'https://127.0.0.1:8080/'],
])('%s with %j is %s', (address, tls, url) => {
  expect(readKubeconfig(config({ server: address, ...tls }), '/f').url.href).toBe(url);
});

const nothing =
  'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable';

it.each([
  ['an empty file', '', nothing],
  ['no current context', config({ server }, {}, ''), nothing],
  ['another context', config({ server }, {}, 'x'), 'context "x" does not exist'],
  ['no such cluster', config(undefined), 'cluster "k" does not exist'],
  ['no server', config({ 'tls-server-name': 'x' }), 'invalid configuration: no server found for cluster "k"'],
  [
    'a certificate without a key',
    config({ server }, { 'client-certificate': 'a' }),
    'invalid configuration: client-key-data or client-key must be specified for u to use the clientCert authentication method.',
  ],
  [
    'two ways to authenticate',
    config({ server }, { token: 'a', username: 'b' }),
    'invalid configuration: more than one authentication method found for u; found [token basicAuth], only one is allowed',
  ],
  [
    'an authority that nobody looks at',
    config({ server, 'insecure-skip-tls-verify': true, 'certificate-authority-data': 'YQ==' }),
    'specifying a root certificates file with the insecure flag is not allowed',
  ],
  ['a program', config({ server }, { exec: { command: 'x' } }), '/f: exec is not supported'],
])('%s', (_, text, message) => expect(() => readKubeconfig(text, '/f')).toThrow(message));
