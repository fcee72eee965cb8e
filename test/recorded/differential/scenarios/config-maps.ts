import { get, inNamespace, patch, post, put, remove, scenario } from '../scenario.ts';

const base = '/api/v1/namespaces/diff-config/configmaps';
const secrets = '/api/v1/namespaces/diff-config/secrets';

/** ConfigMaps and Secrets: keys, sizes, immutability, encodings. */
export const configMaps = scenario('config-maps', [
  inNamespace('diff-config'),
  post('create', base, { metadata: { name: 'a', labels: { app: 'x' } }, data: { k: 'v', 'm.yaml': 'a: b\n' } }),
  post('create sealed', base, { metadata: { name: 'sealed' }, data: { k: 'v' }, immutable: true }),
  patch('change the sealed', `${base}/sealed`, { type: 'merge', body: { data: { k: 'w' } } }),
  patch('open the sealed', `${base}/sealed`, { type: 'merge', body: { immutable: null } }),
  post('a bad key', base, { metadata: { name: 'b' }, data: { 'a b': 'x', '..': 'y' } }),
  post('a key in both', base, { metadata: { name: 'b' }, data: { k: 'x' }, binaryData: { k: 'eA==' } }),
  post('no base64', base, { metadata: { name: 'b' }, binaryData: { k: '!!' } }),
  patch('a number for text', `${base}/a`, { type: 'merge', body: { data: { n: true } } }),
  patch('escapes', `${base}/a`, {
    type: 'merge',
    body: { data: { html: '<a href="x">&</a>', line: '\u2028', k: null } },
  }),
  get(`${base}/a`),
  get(`${base}/a`, { accept: 'application/yaml' }),
  put('replace', `${base}/a`, { metadata: { name: 'a' }, data: { only: 'this' } }),
  put('replace with an empty one', `${base}/a`, { metadata: { name: 'a' } }),
  put('in another namespace', `${base}/a`, { metadata: { name: 'a', namespace: 'other' } }),
  post('secret', secrets, { metadata: { name: 's' }, stringData: { user: 'me' }, data: { token: 'eA==' } }),
  get(`${secrets}/s`),
  get(`${secrets}?fieldSelector=type=Opaque`),
  post('secret of a type that wants keys', secrets, { metadata: { name: 't' }, type: 'kubernetes.io/tls' }),
  post('secret, bad base64', secrets, { metadata: { name: 't' }, data: { a: '?' } }),
  patch('secret, another type', `${secrets}/s`, { type: 'merge', body: { type: 'other' } }),
  remove('delete', `${base}/a`),
  remove('delete again', `${base}/a`),
]);
