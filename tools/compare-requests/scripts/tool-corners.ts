import { configMap, deployment, places, pod } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, metadataListType, patch, post, put, remove, tableType } from '../steps.ts';

const space = 'tool-corners';
const configMaps = places.configMaps(space);
const deployments = places.deployments(space);
const pods = places.pods(space);
const revisions = `/apis/apps/v1/namespaces/${space}/controllerrevisions`;
const claimTemplates = `/apis/resource.k8s.io/v1/namespaces/${space}/resourceclaimtemplates`;
const accounts = `/api/v1/namespaces/${space}/serviceaccounts`;
const reviews = (group: string, plural: string): string => `/apis/${group}/v1/${plural}`;
const revision = (name: string, data: unknown): object => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name },
  revision: 1,
  ...(data === undefined ? {} : { data }),
});

const patchesOfData: { readonly [name: string]: readonly object[] } = {
  'another field': [{ data: { a: 2 } }],
  'an added field': [{ data: { b: 1 } }],
  'a null field': [{ data: { a: null } }],
  'no data': [{ data: null }],
  'a text': [{ data: 'text' }],
  'a number': [{ data: 7 }],
  'a list': [{ data: [1] }],
  'the same': [{ data: { a: 1 } }],
  'the revision': [{ revision: 2 }],
  'no revision': [{ revision: -1 }],
};

const dataSteps: readonly Step[] = [
  post('a revision', revisions, revision('r', { a: 1 })),
  post('a revision without data', revisions, revision('none', undefined)),
  forEach(patchesOfData, ([body], name) =>
    (['merge', 'strategic'] as const).map((type) =>
      patch(`${name} of a revision: ${type}`, type, `${revisions}/r?dryRun=All`, body),
    ),
  ),
  forEach(
    {
      replace: [{ op: 'replace', path: '/data/a', value: 5 }],
      'replace all': [{ op: 'replace', path: '/data', value: { c: 1 } }],
      remove: [{ op: 'remove', path: '/data/a' }],
      'remove all': [{ op: 'remove', path: '/data' }],
      'a tested one': [
        { op: 'test', path: '/data/a', value: 1 },
        { op: 'replace', path: '/revision', value: 3 },
      ],
      'a wrong test': [{ op: 'test', path: '/data/a', value: 2 }],
    },
    (body, name) => patch(`${name} of a revision: json`, 'json', `${revisions}/r?dryRun=All`, body),
  ),
  apply('apply a revision', `${revisions}/r?dryRun=All&force=true`, revision('r', { a: 3 })),
  apply('apply a revision without data', `${revisions}/none?dryRun=All&force=true`, revision('none', undefined)),
  put('put a revision', `${revisions}/r?dryRun=All`, revision('r', { a: 4 })),
  put('put a revision without data', `${revisions}/r?dryRun=All`, revision('r', undefined)),
  patch('give a revision data', 'merge', `${revisions}/none?dryRun=All`, { data: { a: 1 } }),
].flat();

const claimTemplate = (name: string, inner: object): object => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { name },
  spec: {
    metadata: inner,
    spec: {
      devices: {
        requests: [
          {
            name: 'r',
            exactly: { deviceClassName: 'c' },
          },
        ],
      },
    },
  },
});
const innerMetadata: { readonly [name: string]: object } = {
  'a null time': { creationTimestamp: null },
  'a time': { creationTimestamp: '2024-01-01T00:00:00Z' },
  'a name': { name: 'inner' },
  labels: { labels: { a: 'b' }, annotations: { c: 'd' } },
};
const claimSteps = forEach(innerMetadata, (inner, name) => [
  post(`claim template with ${name}`, claimTemplates, claimTemplate(name.replaceAll(' ', '-'), inner)),
  get(`claim template with ${name}: get`, `${claimTemplates}/${name.replaceAll(' ', '-')}`),
  apply(`claim template with ${name}: apply`, `${claimTemplates}/${name.replaceAll(' ', '-')}-applied`, {
    ...claimTemplate(`${name.replaceAll(' ', '-')}-applied`, inner),
  }),
  patch(`claim template with ${name}: merge`, 'merge', `${claimTemplates}/labels`, { spec: { metadata: inner } }),
]);

/** As `kubectl apply --prune`, Helm and Argo CD write. */
const pruning: readonly Step[] = [
  apply('first of a set', `${configMaps}/set-a`, configMap('set-a', { a: '1' }, { labels: { set: 'x' } }), 'helm'),
  apply('second of a set', `${configMaps}/set-b`, configMap('set-b', { a: '1' }, { labels: { set: 'x' } }), 'helm'),
  get('the set', `${configMaps}?labelSelector=set%3Dx,owner%20notin%20(me)`, { accept: metadataListType }),
  remove('a dry run of the set', `${configMaps}?labelSelector=set%3Dx&dryRun=All`),
  get('the set is there', `${configMaps}?labelSelector=set%3Dx`),
  remove('a part of the set', `${configMaps}?labelSelector=set%3Dx&fieldSelector=metadata.name%3Dset-a`),
  get('what is left', `${configMaps}?labelSelector=set%3Dx`, { accept: tableType }),
  remove('with a limit', `${configMaps}?labelSelector=set%3Dx&limit=1`),
  remove('an orphaning collection', `${configMaps}?labelSelector=set%3Dx`, {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: 'Orphan',
  }),
];

const preconditions: readonly Step[] = [
  post('for preconditions', configMaps, configMap('pre')),
  patch('another uid', 'merge', `${configMaps}/pre`, { metadata: { uid: 'other' }, data: { b: '1' } }),
  patch('an old version', 'merge', `${configMaps}/pre`, { metadata: { resourceVersion: '1' } }),
  patch('an empty version', 'merge', `${configMaps}/pre`, { metadata: { resourceVersion: '' }, data: { c: '1' } }),
  patch('a version of words', 'merge', `${configMaps}/pre`, { metadata: { resourceVersion: 'abc' } }),
  patch('the version', 'merge', `${configMaps}/pre`, {
    metadata: { resourceVersion: '{{for preconditions|metadata.resourceVersion}}' },
  }),
  patch('another uid by apply', 'apply', `${configMaps}/pre?fieldManager=one&force=true`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'pre',
      uid: 'other',
    },
  }),
  patch('test of the version', 'json', `${configMaps}/pre`, [
    { op: 'test', path: '/metadata/resourceVersion', value: '1' },
    { op: 'add', path: '/data/d', value: '1' },
  ]),
  patch('test of the uid', 'json', `${configMaps}/pre`, [
    { op: 'test', path: '/metadata/uid', value: '{{for preconditions|metadata.uid}}' },
    { op: 'add', path: '/data/d', value: '1' },
  ]),
  patch('test of an absent field', 'json', `${configMaps}/pre`, [{ op: 'test', path: '/data/none', value: null }]),
  patch('copy and move', 'json', `${configMaps}/pre`, [
    { op: 'copy', from: '/data/a', path: '/data/e' },
    { op: 'move', from: '/data/e', path: '/data/f' },
    { op: 'test', path: '/data/f', value: '1' },
  ]),
  remove('another uid', `${configMaps}/pre`, { preconditions: { uid: 'other' } }),
  remove('another version', `${configMaps}/pre`, { preconditions: { resourceVersion: '1' } }),
  remove('an empty uid', `${configMaps}/pre`, { preconditions: { uid: '' } }),
];

const longValues = Array.from({ length: 400 }, (_, index) => `value-${index}`).join(',');
const selectors: { readonly [name: string]: string } = {
  long: `a%20in%20(${longValues})`,
  'not in long': `a%20notin%20(${longValues})`,
  spaces: '%20a%20=%20b%20,%20!c%20',
  'two equals': 'a==b',
  numbers: 'a%3E1,b%3C2',
  'a word for a number': 'a%3Eb',
  'an empty set': 'a%20in%20()',
  'an empty item': 'a%20in%20(,b)',
  'an open set': 'a%20in%20(b',
  'a value too long': `a%3D${'v'.repeat(64)}`,
  'a key too long': `${'k'.repeat(64)}%3Db`,
  'a prefix': 'example.com/a%3Db',
  'a bad prefix': 'Example.com/a%3Db',
  'two prefixes': 'a/b/c%3Dd',
  commas: ',,',
  exists: 'a,!b',
};
const selectorSteps = forEach(selectors, (selector, name) =>
  get(`selector: ${name}`, `${configMaps}?labelSelector=${selector}`),
);

/** What leads to nodes that are not there, or have no address. */
const absentNodes: readonly Step[] = [
  post('a node', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: `${space}-node` } }),
  post('a pod on no node', pods, pod('unbound', {}, { serviceAccountName: 'one' })),
  post('a pod on an absent node', pods, pod('bound', {}, { serviceAccountName: 'one', nodeName: 'absent' })),
  post('a pod on a node', pods, pod('there', {}, { serviceAccountName: 'one', nodeName: `${space}-node` })),
  ['unbound', 'bound', 'there', 'missing'].flatMap((name) => [
    get(`log of ${name}`, `${pods}/${name}/log`),
    get(`log of another container of ${name}`, `${pods}/${name}/log?container=other`),
    get(`exec in ${name}`, `${pods}/${name}/exec?command=ls&stdout=true`),
    post(`exec in ${name} by POST`, `${pods}/${name}/exec?command=ls&stdout=true`, ''),
    get(`attach to ${name}`, `${pods}/${name}/attach?stdout=true`),
    get(`attach nothing to ${name}`, `${pods}/${name}/attach`),
    get(`forward to ${name}`, `${pods}/${name}/portforward?ports=80`),
    get(`proxy to ${name}`, `${pods}/${name}/proxy/`),
  ]),
  get('proxy to an absent node', '/api/v1/nodes/absent/proxy/'),
  get('proxy to a node', `/api/v1/nodes/${space}-node/proxy/healthz`),
  get('proxy to an absent service', `/api/v1/namespaces/${space}/services/none/proxy/`),
].flat();

const review = (group: string, kind: string, spec?: object): object => ({
  apiVersion: `${group}/v1`,
  kind,
  ...(spec === undefined ? {} : { spec }),
});
const authorization = 'authorization.k8s.io';
const selfReviews: readonly Step[] = [
  post(
    'who am I',
    reviews('authentication.k8s.io', 'selfsubjectreviews'),
    review('authentication.k8s.io', 'SelfSubjectReview'),
  ),
  post('who am I without a kind', reviews('authentication.k8s.io', 'selfsubjectreviews'), {}),
  post(
    'may I',
    reviews(authorization, 'selfsubjectaccessreviews'),
    review(authorization, 'SelfSubjectAccessReview', {}),
  ),
  post(
    'may I both',
    reviews(authorization, 'selfsubjectaccessreviews'),
    review(authorization, 'SelfSubjectAccessReview', {
      resourceAttributes: { verb: 'get', resource: 'pods' },
      nonResourceAttributes: { verb: 'get', path: '/' },
    }),
  ),
  post(
    'may I with selectors',
    reviews(authorization, 'selfsubjectaccessreviews'),
    review(authorization, 'SelfSubjectAccessReview', {
      resourceAttributes: {
        verb: 'list',
        resource: 'pods',
        namespace: space,
        labelSelector: {
          requirements: [
            {
              key: 'a',
              operator: 'In',
              values: ['b'],
            },
          ],
          rawSelector: 'a=b',
        },
      },
    }),
  ),
  post(
    'may I with a bad selector',
    reviews(authorization, 'selfsubjectaccessreviews'),
    review(authorization, 'SelfSubjectAccessReview', {
      resourceAttributes: {
        verb: 'list',
        resource: 'pods',
        namespace: space,
        fieldSelector: {
          requirements: [
            {
              key: 'metadata.name',
              operator: 'Is',
              values: [],
            },
          ],
        },
      },
    }),
  ),
  post(
    'my rules',
    reviews(authorization, 'selfsubjectrulesreviews'),
    review(authorization, 'SelfSubjectRulesReview', { namespace: space }),
  ),
  post(
    'my rules nowhere',
    reviews(authorization, 'selfsubjectrulesreviews'),
    review(authorization, 'SelfSubjectRulesReview', {}),
  ),
  post('my rules, a name', reviews(authorization, 'selfsubjectrulesreviews'), {
    ...review(authorization, 'SelfSubjectRulesReview', { namespace: space }),
    metadata: { name: 'x' },
  }),
];

/** Owners of other scopes, and of no kind. */
const owners: { readonly [name: string]: object } = {
  'a namespace as owner': { apiVersion: 'v1', kind: 'Namespace', name: space, uid: 'u' },
  'two controllers': { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u', controller: true, blockOwnerDeletion: true },
  'an event as owner': { apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' },
  'no uid': { apiVersion: 'v1', kind: 'Pod', name: 'p' },
  'no kind': { apiVersion: 'v1', kind: '', name: 'p', uid: 'u' },
  'a version of slashes': { apiVersion: 'a/b/c', kind: 'Pod', name: 'p', uid: 'u' },
  'an unknown group': { apiVersion: 'none.example.com/v1', kind: 'None', name: 'p', uid: 'u' },
};
const ownerSteps = forEach(owners, (owner, name) => {
  const references = name === 'two controllers' ? [owner, { ...owner, name: 'b', uid: 'v' }] : [owner];
  return [
    post(`${name}: create`, `${configMaps}?dryRun=All`, configMap('owned', {}, { ownerReferences: references })),
    apply(
      `${name}: apply`,
      `${configMaps}/pre-owned?dryRun=All`,
      configMap('pre-owned', {}, { ownerReferences: references }),
    ),
  ];
});

const resets: readonly Step[] = [
  apply('owned by one', `${configMaps}/reset`, configMap('reset', { a: '1' })),
  patch('owners of nothing', 'merge', `${configMaps}/reset`, { metadata: { managedFields: [{}] } }),
  get('without owners', `${configMaps}/reset`),
  apply('owned again', `${configMaps}/reset`, configMap('reset', { a: '1', b: '2' })),
  patch('an operation without a manager', 'merge', `${configMaps}/reset`, {
    metadata: {
      managedFields: [{ operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': {} } }],
    },
  }),
  patch('another type of fields', 'merge', `${configMaps}/reset`, {
    metadata: {
      managedFields: [{ manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV2', fieldsV1: {} }],
    },
  }),
  patch('no list of owners', 'merge', `${configMaps}/reset`, { metadata: { managedFields: null } }),
  apply('owners in an apply', `${configMaps}/reset`, configMap('reset', {}, { managedFields: [{}] })),
  get('in the end', `${configMaps}/reset`),
];

const yaml = (text: string): { contentType: string } & { body: string } => ({
  contentType: 'application/yaml',
  body: text,
});
const strictYaml: { readonly [name: string]: string } = {
  'a key twice': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: y\ndata:\n  a: "1"\n  a: "2"\n',
  'a key twice in metadata': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: y\n  name: z\n',
  'a merge key': 'apiVersion: v1\nkind: ConfigMap\nmetadata: &m\n  name: y\n  labels:\n    <<: {a: b}\n',
  'an alias': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: y\n  labels: &l {a: b}\n  annotations: *l\n',
  'a field of another case': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  Name: y\n  name: y\nData: {a: b}\n',
};
const yamlSteps = forEach(strictYaml, (text, name) =>
  ['Strict', 'Warn', 'Ignore'].flatMap((validation) => {
    const { body, contentType } = yaml(text);
    return [
      post(`${name}: ${validation}`, `${configMaps}?dryRun=All&fieldValidation=${validation}`, body, { contentType }),
      patch(
        `${name}: ${validation}: apply`,
        'apply',
        `${configMaps}/y?dryRun=All&fieldManager=m&fieldValidation=${validation}`,
        body,
      ),
    ];
  }),
);

const scaled: readonly Step[] = [
  post('a deployment', deployments, deployment('scaled', { replicas: 2 }), { settles: true }),
  apply('an applied scale', `${deployments}/scaled/scale`, {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'scaled' },
    spec: { replicas: 3 },
  }),
  apply(
    'the deployment by the other',
    `${deployments}/scaled`,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'scaled' },
      spec: { replicas: 4 },
    },
    'two',
  ),
  apply('an applied status', `${deployments}/scaled/status?force=true`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'scaled' },
    status: {
      replicas: 1,
      availableReplicas: 2,
    },
  }),
  get('the owners', `${deployments}/scaled`),
  patch('a scale of a wrong version', 'merge', `${deployments}/scaled/scale`, {
    metadata: { resourceVersion: '1' },
    spec: { replicas: 9 },
  }),
  put('a scale without a name', `${deployments}/scaled/scale`, {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    spec: { replicas: 1 },
  }),
  put('a scale of another name', `${deployments}/scaled/scale`, {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'other' },
    spec: { replicas: 1 },
  }),
  remove('a scale', `${deployments}/scaled/scale`),
];

export const toolCorners = script(
  space,
  inNamespace(space),
  post('an account', accounts, { metadata: { name: 'one' } }, { settles: true }),
  dataSteps,
  claimSteps,
  pruning,
  preconditions,
  selectorSteps,
  absentNodes,
  selfReviews,
  ownerSteps,
  resets,
  yamlSteps,
  scaled,
);
