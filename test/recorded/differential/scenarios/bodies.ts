import { inNamespace, post, put, scenario } from '../scenario.ts';

const base = '/api/v1/namespaces/diff-bodies/configmaps';
const yaml = 'application/yaml';

/** Invalid bodies. */
export const bodies = scenario('bodies', [
  inNamespace('diff-bodies'),
  post('empty', base, ''),
  post('a brace', base, '{'),
  post('no JSON', base, 'x: y'),
  post('a list', base, []),
  post('null', base, 'null'),
  post('a string', base, '"x"'),
  post('data after the end', base, '{"metadata":{"name":"a"}} x'),
  post('another kind', base, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }),
  post('a kind nobody knows', base, { apiVersion: 'v1', kind: 'Nothing', metadata: { name: 'a' } }),
  post('another version', base, { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } }),
  post('another group', base, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } }),
  post('a bad apiVersion', base, { apiVersion: 'a/b/c', kind: 'ConfigMap', metadata: { name: 'a' } }),
  post('a number for kind', base, { apiVersion: 'v1', kind: 1, metadata: { name: 'a' } }),
  post('metadata is a list', base, { metadata: [] }),
  post('labels is a text', base, { metadata: { name: 'a', labels: 'x' } }),
  post('a label is a number', base, { metadata: { name: 'a', labels: { x: 1 } } }),
  post('unknown field, Strict', `${base}?fieldValidation=Strict`, { metadata: { name: 'a', nothing: 1 }, other: 2 }),
  post('unknown field, Warn', `${base}?fieldValidation=Warn&dryRun=All`, {
    metadata: { name: 'a', nothing: 1 },
    other: 2,
  }),
  post('unknown field, Ignore', `${base}?fieldValidation=Ignore&dryRun=All`, {
    metadata: { name: 'a', nothing: 1 },
    other: 2,
  }),
  post(
    'duplicate field, Strict',
    `${base}?fieldValidation=Strict`,
    '{"metadata":{"name":"a","name":"b"},"data":{"x":"1","x":"2"}}',
  ),
  post('duplicate field, Warn', `${base}?dryRun=All`, '{"metadata":{"name":"a","name":"b"}}'),
  post('YAML', `${base}?dryRun=All`, 'metadata:\n  name: y\ndata:\n  a: "1"\n', { contentType: yaml }),
  post('YAML, a boolean for text', base, 'metadata:\n  name: y\ndata:\n  a: yes\n', { contentType: yaml }),
  post('YAML, duplicate key, Strict', `${base}?fieldValidation=Strict`, 'metadata:\n  name: y\n  name: z\n', {
    contentType: yaml,
  }),
  post('YAML, broken', base, 'a: [', { contentType: yaml }),
  post('text', base, 'x', { contentType: 'text/plain' }),
  put('text to replace', `${base}/a`, 'x', { contentType: 'text/plain' }),
  post(
    'JSON with a charset',
    `${base}?dryRun=All`,
    { metadata: { name: 'a' } },
    { contentType: 'application/json; charset=utf-8' },
  ),
  post('another namespace', base, { metadata: { name: 'a', namespace: 'other' } }),
  post('a namespace that is not there', '/api/v1/namespaces/diff-missing/configmaps', { metadata: { name: 'a' } }),
  post('server-set fields', `${base}?dryRun=All`, {
    metadata: {
      name: 'a',
      uid: 'x',
      generation: 7,
      creationTimestamp: '2020-01-01T00:00:00Z',
      selfLink: '/x',
      deletionGracePeriodSeconds: 3,
    },
  }),
  post('a bad time', base, { metadata: { name: 'a', creationTimestamp: 'yesterday' } }),
]);
