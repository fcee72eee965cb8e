import { get, inNamespace, patch, post, remove, scenario } from '../scenario.ts';

const base = '/apis/apps/v1/namespaces/diff-delete/deployments';
const jobs = '/apis/batch/v1/namespaces/diff-delete/jobs';
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } };
const named = (name: string, metadata: object = {}): object => ({
  metadata: { name, ...metadata },
  spec: { selector: { matchLabels: { a: 'b' } }, template },
});
const job = (name: string): object => ({
  metadata: { name },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
});

/** Finalizers, propagation policies and their results. */
export const deletions = scenario('deletions', [
  inNamespace('diff-delete'),
  post('create for foreground', base, named('foreground')),
  remove('foreground', `${base}/foreground?propagationPolicy=Foreground`),
  remove('foreground again', `${base}/foreground?propagationPolicy=Background`),
  get(`${base}/foreground`, { name: 'foreground is there' }),
  patch('a new finalizer while it goes', `${base}/foreground`, {
    type: 'merge',
    body: { metadata: { finalizers: ['example.com/late', 'foregroundDeletion'] } },
  }),
  patch('the last finalizer goes', `${base}/foreground`, { type: 'merge', body: { metadata: { finalizers: null } } }),
  get(`${base}/foreground`, { name: 'foreground is gone' }),
  post('create for orphan', base, named('orphan')),
  remove('orphan', `${base}/orphan`, { orphanDependents: true }),
  patch('orphan goes', `${base}/orphan`, { type: 'json', body: [{ op: 'remove', path: '/metadata/finalizers' }] }),
  post('create with a finalizer', base, named('held', { finalizers: ['example.com/hold'] })),
  remove('held', `${base}/held`),
  post('create while it goes', base, named('held')),
  patch('let go', `${base}/held`, { type: 'merge', body: { metadata: { finalizers: [] } } }),
  post('a finalizer without a domain', base, named('bare', { finalizers: ['hold'] })),
  post('both policies as finalizers', base, named('both', { finalizers: ['orphan', 'foregroundDeletion'] })),
  post('create a job', jobs, job('j')),
  remove('a job without a policy', `${jobs}/j`),
  get(`${jobs}/j`),
  post('create another job', jobs, job('k')),
  remove('a job in the background', `${jobs}/k?propagationPolicy=Background`),
  remove('a protected namespace', '/api/v1/namespaces/kube-system'),
  remove('what is not there', `${base}/missing`),
]);
