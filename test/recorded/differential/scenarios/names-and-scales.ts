import { get, inNamespace, patch, post, put, remove, scenario, type Step } from '../scenario.ts';
import { apply } from './apply-step.ts';

const namespace = 'diff-names';
const core = `/api/v1/namespaces/${namespace}`;
const names = ['a%b', 'a/b', '%', 'a%2Fb', 'Bad_Name', '..', ''];

function ofName(name: string): Step[] {
  const escaped = encodeURIComponent(name);
  const binding = { metadata: { name }, target: { kind: 'Node', name: 'n' } };
  const legacy = post(`bind ${JSON.stringify(name)}`, `${core}/bindings`, binding);
  if (name === '' || name === '..') return [legacy];
  const map = `${core}/configmaps/${escaped}`;
  return [
    legacy,
    post(`bind pod ${name}`, `${core}/pods/${escaped}/binding`, binding),
    post(`evict ${name}`, `${core}/pods/${escaped}/eviction`, { metadata: { name } }),
    post(`token for ${name}`, `${core}/serviceaccounts/${escaped}/token`, { spec: {} }),
    get(map),
    put(`put ${name}`, map, { metadata: { name } }),
    patch(`patch ${name}`, map, { type: 'merge', body: {} }),
    apply(`apply ${name}`, map, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }),
    remove(`remove ${name}`, map),
    get(`${core}/pods/${escaped}/status`),
    post(`create in ${name}`, `/api/v1/namespaces/${escaped}/configmaps`, { metadata: { name: 'x' } }),
    get(`/api/v1/namespaces/${escaped}`),
  ];
}

const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
const scale = `${deployments}/d/scale`;
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } };
const scaled = (metadata: object, replicas: unknown): object => ({
  metadata: { name: 'd', ...metadata },
  spec: { replicas },
});

/** Names that no path can have, scales, and answers that have owners though nothing is stored. */
export const namesAndScales = scenario('names-and-scales', [
  inNamespace(namespace),
  ...names.flatMap(ofName),
  post('deployment', deployments, {
    metadata: { name: 'd' },
    spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template },
  }),
  put('scale with a wrong uid', scale, scaled({ uid: 'x' }, 1)),
  put('scale in a dry run with a wrong uid', `${scale}?dryRun=All`, scaled({ uid: 'x' }, 1)),
  patch('scale by a patch with a wrong uid', scale, { type: 'merge', body: { metadata: { uid: 'x' } } }),
  patch('test zero replicas', scale, { type: 'json', body: [{ op: 'test', path: '/spec/replicas', value: 0 }] }),
  patch('remove zero replicas', scale, { type: 'json', body: [{ op: 'remove', path: '/spec/replicas' }] }),
  patch('test zero replicas of the status', scale, {
    type: 'json',
    body: [{ op: 'test', path: '/status/replicas', value: 0 }],
  }),
  put('scale to 2', scale, scaled({}, 2)),
  patch('test two replicas', scale, { type: 'json', body: [{ op: 'test', path: '/spec/replicas', value: 2 }] }),
  post('review of a token', '/apis/authentication.k8s.io/v1/tokenreviews', {
    metadata: { labels: { a: 'b' } },
    spec: { token: 'x' },
  }),
]);
