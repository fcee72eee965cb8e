import { get, patch, post, remove, scenario, tableType } from '../scenario.ts';

const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
const critical = `${classes}/system-node-critical`;
const selected = `${classes}?fieldSelector=metadata.name=system-node-critical`;

/** What the server makes by itself and protects, by whichever request. */
export const systemObjects = scenario('system-objects', [
  ...['system-node-critical', 'system-cluster-critical'].map((name) => remove(`class ${name}`, `${classes}/${name}`)),
  remove('class in a dry run', `${critical}?dryRun=All`),
  remove('class with a wrong precondition', critical, { preconditions: { uid: 'x' } }),
  remove('class with a bad option', `${critical}?propagationPolicy=Foo`),
  { ...remove('class as a table', critical), accept: tableType },
  remove('unknown class of the system', `${classes}/system-foo`),
  patch('value of a class', critical, { type: 'merge', body: { value: 3 } }),
  patch('label of a class', critical, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } }),
  post('class that exists', classes, { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 }),
  remove('collection in a dry run', `${selected}&dryRun=All`),
  get(critical, { name: 'class after the dry run' }),
  remove('collection, which does not ask', selected),
  get(critical, { name: 'class after the collection' }),
  post('class again', classes, { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 }),
  ...['default', 'kube-system', 'kube-public'].map((name) =>
    remove(`namespace ${name}`, `/api/v1/namespaces/${name}?dryRun=All`),
  ),
  remove('namespace of leases in a dry run', '/api/v1/namespaces/kube-node-lease?dryRun=All'),
  remove('service network in a dry run', '/apis/networking.k8s.io/v1/servicecidrs/kubernetes?dryRun=All'),
]);
