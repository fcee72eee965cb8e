import { inNamespace, patch, post, put, scenario } from '../scenario.ts';

const namespace = 'diff-prefixes';
const core = `/api/v1/namespaces/${namespace}`;
const maps = `${core}/configmaps`;
const volumes = '/api/v1/persistentvolumes';
const volume = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } };
const volumeBody = (metadata: object): object => ({ metadata: { name: 'prefixed', ...metadata }, spec: volume });
const prefixes = ['A', 'a/b', 'a'.repeat(300), `${'é'.repeat(40)}`];
const evicted = (dryRun: readonly string[]): object => ({ metadata: { name: 'p' }, deleteOptions: { dryRun } });
const metadata = { name: 'r', labels: { a: 'b' }, uid: 'x', deletionTimestamp: '2026-01-02T03:04:05Z' };

/** Prefixes of names in writes of all kinds; requests that are answered without anything being stored. */
export const reviewsAndPrefixes = scenario('reviews-and-prefixes', [
  inNamespace(namespace),
  post('map', maps, { metadata: { name: 'm' } }),
  post('volume', volumes, volumeBody({})),
  ...prefixes.flatMap((generateName) => {
    const shown = `${generateName.slice(0, 4)} of ${generateName.length}`;
    return [
      put(`map with prefix ${shown}`, `${maps}/m?dryRun=All`, { metadata: { name: 'm', generateName } }),
      put(`volume with prefix ${shown}`, `${volumes}/prefixed?dryRun=All`, volumeBody({ generateName })),
      put(`status with prefix ${shown}`, `${volumes}/prefixed/status?dryRun=All`, volumeBody({ generateName })),
    ];
  }),
  put('status with a plain finalizer', `${volumes}/prefixed/status?dryRun=All`, volumeBody({ finalizers: ['a'] })),
  patch('deletion at no time', `${maps}/m`, {
    type: 'merge',
    body: { metadata: { deletionTimestamp: '0001-01-01T00:00:00Z' } },
  }),
  post('review of a token', '/apis/authentication.k8s.io/v1/tokenreviews', {
    metadata: { ...metadata, namespace: 'x' },
    spec: { token: 'x' },
    status: { authenticated: true, user: { username: 'u' }, audiences: ['a'], error: 'e' },
  }),
  post('access with owners', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    metadata: { ownerReferences: [{ controller: true }] },
    spec: { user: 'u', nonResourceAttributes: { path: '/', verb: 'get' } },
  }),
  post('evict with other options', `${core}/pods/p/eviction?dryRun=All`, evicted(['All', 'All'])),
  post('bind to no node', `${core}/pods/p/binding`, { metadata: { name: 'p' }, target: { name: 'A' } }),
]);
