import { configMap, deployment, instance, places, podSpec } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'migration';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const clientSide = 'kubectl-client-side-apply';
const custom = {
  group: 'migration.example.com',
  plural: 'charts',
  kind: 'Chart',
  properties: {
    spec: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' }, list: { type: 'array', items: { type: 'string' } } },
    },
  },
} as const;
const charts = places.custom(custom.group, custom.plural, space);

interface Subject {
  readonly collection: string;
  readonly first: object;
  readonly second: object;
}

const configMaps = places.configMaps(space);
const deployments = places.deployments(space);
const templated = (env: readonly object[]): object => ({
  template: { metadata: { labels: { app: 'x' } }, spec: podSpec({ env }) },
});
const subjects: { readonly [name: string]: (object: string) => Subject } = {
  'config map': (name) => ({
    collection: configMaps,
    first: configMap(name, { a: '1', b: '2' }),
    second: configMap(name, { a: '1' }),
  }),
  deployment: (name) => ({
    collection: deployments,
    first: deployment(name, {
      replicas: 2,
      ...templated([
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ]),
    }),
    second: deployment(name, templated([{ name: 'A', value: '9' }])),
  }),
  chart: (name) => ({
    collection: charts,
    first: instance(custom, name, { spec: { a: '1', b: '2', list: ['x'] } }),
    second: instance(custom, name, { spec: { a: '3' } }),
  }),
};

/** As kubectl writes it. */
function annotated(object: object, configuration: object | string = object): object {
  const { metadata, ...others } = object as { readonly metadata: object };
  const text = typeof configuration === 'string' ? configuration : `${JSON.stringify(configuration)}\n`;
  return { ...others, metadata: { ...metadata, annotations: { [lastApplied]: text } } };
}

/** What the annotation has when the first server-side apply comes. */
const annotations: { readonly [name: string]: (object: object) => object } = {
  'as written': (object) => annotated(object),
  none: (object) => object,
  empty: (object) => annotated(object, ''),
  'not JSON': (object) => annotated(object, '{'),
  'another object': (object) => annotated(object, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'z' } }),
  'without kind': (object) => annotated(object, { metadata: { name: 'z' } }),
  'another version': (object) => annotated(object, { ...object, apiVersion: 'apps/v1beta1' }),
  'unknown fields': (object) => annotated(object, { ...object, nope: 1 }),
  null: (object) => annotated(object, 'null\n'),
};

let index = 0;
function storyOf(subject: (object: string) => Subject, name: string): readonly Step[] {
  return Object.entries(annotations).flatMap(([how, annotate]) => {
    index += 1;
    const { collection, first, second } = subject(`m${index}`);
    const one = `${collection}/m${index}`;
    const called = (text: string): string => `${name}, ${how}: ${text}`;
    return [
      post(called('client-side create'), `${collection}?fieldManager=${clientSide}`, annotate(first)),
      patch(called('another writes'), 'merge', `${one}?fieldManager=controller`, {
        metadata: { labels: { by: 'controller' } },
      }),
      apply(called('server-side apply without force'), one, second, 'kubectl'),
      apply(called('with force'), one, second, 'kubectl&force=true'),
      apply(called('with an annotation as well'), one, annotated(second), 'kubectl&force=true'),
      patch(called('client-side again'), 'merge', `${one}?fieldManager=${clientSide}`, {
        metadata: { annotations: { [lastApplied]: '{}' } },
      }),
      apply(called('and server-side'), one, second, 'kubectl'),
      apply(called('by another'), one, second, 'argocd-controller'),
    ];
  });
}

/** The JSON patch by which kubectl makes client-side entries its own. */
function migration(name: string, entry: object): Step {
  return patch(name, 'json', `${configMaps}/csa`, [
    { op: 'replace', path: '/metadata/managedFields', value: [entry] },
    { op: 'replace', path: '/metadata/resourceVersion', value: '{{the owners|metadata.resourceVersion}}' },
  ]);
}

const fields = {
  'f:data': { 'f:a': {}, 'f:b': {} },
  'f:metadata': { 'f:annotations': { '.': {}, [`f:${lastApplied}`]: {} } },
};
const entry = {
  manager: 'kubectl',
  operation: 'Apply',
  apiVersion: 'v1',
  time: '2020-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: fields,
};

/** Reports: `kubectl apply --server-side` on what `kubectl apply` or Helm wrote before. */
export const clientSideMigration = script(
  'client-side-migration',
  inNamespace(space),
  define(custom),
  forEach(subjects, storyOf),
  post('csa: create', `${configMaps}?fieldManager=${clientSide}`, annotated(configMap('csa', { a: '1', b: '2' }))),
  get('the owners', `${configMaps}/csa`),
  migration('csa: a wrong version', { ...entry, apiVersion: 'apps/v1' }),
  get('csa: what is left', `${configMaps}/csa`),
  put('csa: with owners', `${configMaps}/csa`, {
    ...annotated(configMap('csa', { a: '1', b: '2' })),
    metadata: { name: 'csa', annotations: { [lastApplied]: 'x' }, managedFields: [entry] },
  }),
  get('csa: owners now', `${configMaps}/csa`),
  patch('csa: migrate', 'json', `${configMaps}/csa`, [
    { op: 'replace', path: '/metadata/managedFields', value: [entry] },
    { op: 'replace', path: '/metadata/resourceVersion', value: '{{csa: owners now|metadata.resourceVersion}}' },
  ]),
  patch('csa: migrate at an old version', 'json', `${configMaps}/csa`, [
    { op: 'replace', path: '/metadata/managedFields', value: [entry] },
    { op: 'replace', path: '/metadata/resourceVersion', value: '{{the owners|metadata.resourceVersion}}' },
  ]),
  apply('csa: apply less', `${configMaps}/csa`, configMap('csa', { a: '1' }), 'kubectl'),
  apply(
    'csa: apply nothing',
    `${configMaps}/csa`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'csa' } },
    'kubectl',
  ),
  get('csa: at the end', `${configMaps}/csa`),
  // Helm 3 to 4: written by PUT and strategic patches as `helm`, then applied by the same name.
  post(
    'helm: install',
    `${deployments}?fieldManager=helm`,
    deployment(
      'h',
      { replicas: 1 },
      { labels: { 'app.kubernetes.io/managed-by': 'Helm' }, annotations: { 'meta.helm.sh/release-name': 'r' } },
    ),
  ),
  patch('helm: upgrade', 'strategic', `${deployments}/h?fieldManager=helm`, { spec: { replicas: 3 } }),
  patch('helm: an autoscaler', 'merge', `${deployments}/h/scale?fieldManager=hpa`, { spec: { replicas: 5 } }),
  apply(
    'helm: apply',
    `${deployments}/h`,
    deployment('h', { replicas: 3 }, { labels: { 'app.kubernetes.io/managed-by': 'Helm' } }),
    'helm',
  ),
  apply(
    'helm: apply with force',
    `${deployments}/h`,
    deployment('h', { replicas: 3 }, { labels: { 'app.kubernetes.io/managed-by': 'Helm' } }),
    'helm&force=true',
  ),
  apply('helm: apply without replicas', `${deployments}/h`, deployment('h', {}, {}), 'helm'),
  remove('helm: uninstall', `${deployments}/h`, { propagationPolicy: 'Background' }),
);
