import { get, inNamespace, patch, post, put, remove, scenario } from '../scenario.ts';

const namespace = '/api/v1/namespaces/diff-limits';
const limitRanges = `${namespace}/limitranges`;
const pods = `${namespace}/pods`;
const claims = `${namespace}/persistentvolumeclaims`;

function limitRange(name: string, ...limits: readonly object[]): object {
  return { metadata: { name }, spec: { limits } };
}

type Amounts = { readonly [resource: string]: string };

function container(name: string, requests?: Amounts, limits?: Amounts): object {
  return { name, image: 'i', resources: { ...(requests && { requests }), ...(limits && { limits }) } };
}

function pod(name: string, containers: readonly object[], rest: object = {}): object {
  return { metadata: { name }, spec: { containers, ...rest } };
}

function claim(name: string, storage?: string): object {
  const resources = storage === undefined ? {} : { requests: { storage } };
  return { metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources } };
}

const small = container('c', { cpu: '100m', memory: '10Mi' }, { cpu: '200m', memory: '20Mi' });

/** LimitRanges: defaults and refusals. */
export const admissionLimits = scenario('admission-limits', [
  inNamespace('diff-limits'),
  post(
    'create defaults',
    limitRanges,
    limitRange('defaults', { type: 'Container', default: { cpu: '500m', memory: '64Mi' } }),
  ),
  post('a container gets both', pods, pod('both', [container('c')])),
  post(
    'a container keeps its own',
    pods,
    pod('own', [container('c', { cpu: '1', memory: '1Gi' }, { cpu: '2', memory: '1Gi' })]),
  ),
  post(
    'containers and init containers',
    pods,
    pod('several', [container('a'), container('b', { cpu: '10m' })], { initContainers: [container('i')] }),
  ),
  post('a generated name', pods, {
    metadata: { generateName: 'gen-' },
    spec: { containers: [container('c', { cpu: '2' })] },
  }),
  patch('an update sets nothing', `${pods}/own`, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } }),
  remove('delete defaults', `${limitRanges}/defaults`),
  post('create a request', limitRanges, limitRange('request', { type: 'Container', defaultRequest: { cpu: '50m' } })),
  post('a container gets a request', pods, pod('request', [container('c')])),
  remove('delete the request', `${limitRanges}/request`),

  post('create a minimum', limitRanges, limitRange('minimum', { type: 'Container', min: { 'example.com/x': '2' } })),
  post('no request', pods, pod('none', [container('c')])),
  post('a small request', pods, pod('none', [container('c', { 'example.com/x': '1' }, { 'example.com/x': '1' })])),
  post(
    'no request of an init container',
    pods,
    pod('none', [container('c', { 'example.com/x': '2' }, { 'example.com/x': '2' })], {
      initContainers: [container('i')],
    }),
  ),
  post('a generated name that is refused', pods, {
    metadata: { generateName: 'gen-' },
    spec: { containers: [container('c')] },
  }),
  post('no name at all', pods, { spec: { containers: [container('c')] } }),
  post('a dry run', `${pods}?dryRun=All`, pod('none', [container('c')])),
  put('what is not there', `${pods}/none`, pod('none', [container('c')])),
  remove('delete the minimum', `${limitRanges}/minimum`),

  post('create a maximum', limitRanges, limitRange('maximum', { type: 'Container', max: { memory: '1Gi' } })),
  get(`${limitRanges}/maximum`),
  post('more than the maximum', pods, pod('much', [container('c', { memory: '512Mi' }, { memory: '1536Mi' })])),
  post('gets the maximum', pods, pod('maximum', [container('c')])),
  remove('delete the maximum', `${limitRanges}/maximum`),

  post(
    'create a ratio',
    limitRanges,
    limitRange('ratio', { type: 'Container', maxLimitRequestRatio: { cpu: '2500m' } }),
  ),
  post('no request and no limit', pods, pod('ratio', [container('c')])),
  post('no limit', pods, pod('ratio', [container('c', { cpu: '1' })])),
  post('three times as much', pods, pod('ratio', [container('c', { cpu: '300m' }, { cpu: '1' })])),
  post('twice as much', pods, pod('ratio', [container('c', { cpu: '500m' }, { cpu: '1' })])),
  remove('delete the ratio', `${limitRanges}/ratio`),

  post('create limits of pods', limitRanges, limitRange('pods', { type: 'Pod', max: { cpu: '300m' } })),
  post('a pod within', pods, pod('within', [small])),
  post('two containers together', pods, pod('together', [small, { ...small, name: 'd' }])),
  post(
    'init containers one by one',
    pods,
    pod('one-by-one', [small], {
      initContainers: [
        { ...small, name: 'i' },
        { ...small, name: 'j' },
      ],
    }),
  ),
  post(
    'an init container that goes on',
    pods,
    pod('goes-on', [small], { initContainers: [{ ...small, name: 'i', restartPolicy: 'Always' }] }),
  ),
  post(
    'what the pod says counts',
    pods,
    pod('pod-level', [small], { resources: { limits: { cpu: '400m' }, requests: { cpu: '400m' } } }),
  ),
  remove('delete limits of pods', `${limitRanges}/pods`),

  post(
    'create limits of claims',
    limitRanges,
    limitRange('claims', { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } }),
  ),
  post('a small claim', claims, claim('small', '512Mi')),
  post('a claim', claims, claim('enough', '1Gi')),
  remove('delete limits of claims', `${limitRanges}/claims`),
  post(
    'create a largest claim',
    limitRanges,
    limitRange('largest', { type: 'PersistentVolumeClaim', max: { storage: '2Gi' } }),
  ),
  post('a large claim', claims, claim('large', '3G')),
  post(
    'two reasons in two ranges',
    limitRanges,
    limitRange('other', { type: 'Container', max: { cpu: '1' } }, { type: 'Pod', max: { cpu: '1500m' } }),
  ),
  post('two reasons', pods, pod('reasons', [container('c', { cpu: '1' }, { cpu: '2' })])),
  post(
    'the same reason twice',
    pods,
    pod('reasons', [container('c', { cpu: '1' }, { cpu: '2' }), container('d', { cpu: '1' }, { cpu: '2' })]),
  ),
]);
