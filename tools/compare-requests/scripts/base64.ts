import { configMap, instance, places, secret } from '../objects.ts';
import { define } from '../definitions.ts';
import { script } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, protobufType, put } from '../steps.ts';

const space = 'base64';
const secrets = places.secrets(space);
const configMaps = places.configMaps(space);
const custom = {
  group: 'base64.example.com',
  plural: 'blobs',
  kind: 'Blob',
  properties: { spec: { type: 'object', properties: { data: { type: 'string', format: 'byte' } } } },
} as const;

const texts: { readonly [name: string]: unknown } = {
  plain: 'aGVsbG8=',
  'without padding': 'aGVsbG8',
  'too much padding': 'aGVsbG8==',
  'for URLs': '-_-_',
  'the other alphabet': '+/+/',
  lines: 'aGVs\nbG8=',
  'lines of DOS': 'aGVs\r\nbG8=\r\n',
  blanks: 'aGVs bG8=',
  empty: '',
  'one character': 'a',
  'stray bits': 'aGVsbG9=',
  'not base64': '!!!!',
  'padding only': '====',
  null: null,
  'a number': 1234,
  'a list': [1, 2],
  'bytes that are no text': '/////w==',
};

/** Reports: data that is not base64, or base64 of another kind. */
export const base64 = script(
  'base64',
  inNamespace(space),
  define(custom),
  post('a secret', secrets, secret('a', { data: { k: 'eA==' } })),
  post('a config map', configMaps, { ...configMap('a'), binaryData: { k: 'eA==' } }),
  forEach(texts, (text, name) => [
    post(`post a secret: ${name}`, `${secrets}?dryRun=All`, secret('b', { data: { k: text } })),
    apply(`apply a secret: ${name}`, `${secrets}/c?dryRun=All`, secret('c', { data: { k: text } }), 'one&force=true'),
    patch(`merge a secret: ${name}`, 'merge', `${secrets}/a?dryRun=All`, { data: { k: text } }),
    patch(`strategic patch of a secret: ${name}`, 'strategic', `${secrets}/a?dryRun=All`, { data: { k: text } }),
    post(
      `texts of a secret: ${name}`,
      `${secrets}?dryRun=All`,
      secret('b', { stringData: { k: text }, data: { k: 'eA==' } }),
    ),
    put(`put a config map: ${name}`, `${configMaps}/a?dryRun=All`, { ...configMap('a'), binaryData: { z: text } }),
    post(
      `post a blob: ${name}`,
      `${places.custom(custom.group, custom.plural, space)}?dryRun=All`,
      instance(custom, 'b', { spec: { data: text } }),
    ),
  ]),
  post('in both', `${configMaps}?dryRun=All`, { ...configMap('b', { k: '1' }), binaryData: { k: 'eA==' } }),
  post('a bad key', `${secrets}?dryRun=All`, secret('b', { data: { 'a b': 'eA==' } })),
  forEach(
    {
      'kubernetes.io/dockerconfigjson': '.dockerconfigjson',
      'kubernetes.io/dockercfg': '.dockercfg',
      'kubernetes.io/basic-auth': 'username',
      'kubernetes.io/ssh-auth': 'ssh-privatekey',
      'kubernetes.io/tls': 'tls.crt',
      'kubernetes.io/service-account-token': 'token',
      'bootstrap.kubernetes.io/token': 'token-id',
    },
    (key, type) => [
      post(`${type}: nothing`, `${secrets}?dryRun=All`, secret('b', { type })),
      post(`${type}: empty`, `${secrets}?dryRun=All`, secret('b', { type, data: { [key]: '' } })),
      post(`${type}: JSON`, `${secrets}?dryRun=All`, secret('b', { type, stringData: { [key]: '{"auths":{}}' } })),
      post(`${type}: not JSON`, `${secrets}?dryRun=All`, secret('b', { type, stringData: { [key]: '{' } })),
    ],
  ),
  put('another type', `${secrets}/a`, secret('a', { type: 'example.com/x' })),
  put('an empty type', `${secrets}/a`, secret('a', { type: '' })),
  get('as protobuf', `${secrets}/a`, { accept: protobufType }),
  post('in protobuf', secrets, secret('p', { data: { k: 'aGVsbG8=' }, stringData: { z: 'y' } }), { form: 'protobuf' }),
  patch('immutable', 'merge', `${secrets}/p`, { immutable: true }),
  patch('data of what is immutable', 'merge', `${secrets}/p`, { data: { k: 'eA==' } }),
  patch('no longer immutable', 'merge', `${secrets}/p`, { immutable: false }),
  patch('labels of what is immutable', 'merge', `${secrets}/p`, { metadata: { labels: { a: 'b' } } }),
);
