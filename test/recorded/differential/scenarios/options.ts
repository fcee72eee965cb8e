import { get, inNamespace, patch, post, put, remove, scenario } from '../scenario.ts';

const base = '/api/v1/namespaces/diff-options/configmaps';
const object = { metadata: { name: 'a' } };

/** Query parameters of writes and reads. */
export const options = scenario('options', [
  inNamespace('diff-options'),
  post('create, dry run without a value', `${base}?dryRun`, object),
  post('create, dry run of another kind', `${base}?dryRun=Some`, object),
  post('create, dry run', `${base}?dryRun=All`, object),
  post('create, everything wrong', `${base}?dryRun=x&fieldManager=a%07b&fieldValidation=u`, object),
  post('create, a long manager', `${base}?fieldManager=${'m'.repeat(129)}`, object),
  post('create', `${base}?fieldManager=me`, object),
  put('replace, dry run', `${base}/a?dryRun=All`, { ...object, data: { k: 'v' } }),
  put('replace, bad validation', `${base}/a?fieldValidation=x`, object),
  patch('patch, dry run', `${base}/a?dryRun=All`, { type: 'merge', body: { data: { k: 'v' } } }),
  patch('patch, force', `${base}/a?force=true`, { type: 'merge', body: {} }),
  {
    ...patch('apply without a manager', `${base}/a`, { type: 'merge', body: {} }),
    contentType: 'application/apply-patch+yaml',
  },
  get(`${base}/a`, { name: 'nothing of it stayed' }),
  get(`${base}/a?resourceVersion=0`),
  get(`${base}/a?resourceVersion=1`),
  get(`${base}/a?timeout=abc`),
  get(`${base}/a?timeout=5s`),
  get(`${base}/a?export=true`),
  remove('delete, bad grace period', `${base}/a?gracePeriodSeconds=abc`),
  remove('delete, both policies', `${base}/a`, { orphanDependents: true, propagationPolicy: 'Orphan' }),
  remove('delete, unknown policy', `${base}/a?propagationPolicy=Other`),
  remove('delete, another uid', `${base}/a`, { preconditions: { uid: 'other' } }),
  remove('delete, another version', `${base}/a`, { preconditions: { resourceVersion: '1' } }),
  remove('delete, bad body', `${base}/a`, '{"gracePeriodSeconds":"x"}'),
  remove('delete, unknown field', `${base}/a?dryRun=All`, { nothing: 1 }),
  remove('delete, dry run', `${base}/a?dryRun=All`),
  remove('delete, bad dry run', `${base}/a?dryRun=Some`),
  remove('delete', `${base}/a`),
]);
