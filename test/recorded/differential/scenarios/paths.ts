import { get, scenario, type Step } from '../scenario.ts';

const addresses: readonly string[] = [
  '/apis',
  '/apis/',
  '/api/v1',
  '/apis/apps',
  '/apis/apps/',
  '/apis/apps/v1',
  '/apis/autoscaling',
  '/apis/autoscaling/v1',
  '/apis/batch/v1',
  '/apis/resource.k8s.io/v1',
  '/apis/apps/v9',
  '/apis/nobody.example',
  '/apis/nobody.example/v1',
  '/api/v2',
  '/api/v1/nothing',
  '/apis/apps/v9/deployments',
  '/apis/nobody.example/v1/things',
  '/nothing',
  '/livez',
  '/readyz/ping',
  '/readyz/nothing',
  '/livez?exclude=ping&exclude=nothing',
  '/healthz',
  '/api/v1/pods/without-namespace',
  '/api/v1/namespaces/default/nodes',
  '/api/v1/namespaces/default/pods/a/nothing',
  '/apis/authentication.k8s.io/v1/tokenreviews',
  '/apis/authentication.k8s.io/v1/tokenreviews/a',
  '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews/a',
  '/api/v1/bindings',
  '/api/v1/namespaces/default/bindings',
  '/api/v1/namespaces/default/bindings/a',
  '/api/v1/namespaces/default/pods/missing',
  '/api/v1/namespaces/default/pods/missing/status',
  '/apis/apps/v1/namespaces/default/deployments/missing/scale',
  '/api/v1/namespaces/missing',
];

const methods: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/api'],
  ['POST', '/api/v1/namespaces/default/pods/a'],
  ['PUT', '/api/v1/namespaces/default/pods'],
  ['PATCH', '/api/v1/namespaces/default/pods'],
  ['POST', '/api/v1/pods'],
  ['DELETE', '/api/v1/pods'],
  ['DELETE', '/api/v1/componentstatuses/a'],
  ['POST', '/api/v1/namespaces/default/pods/a/status'],
  ['DELETE', '/api/v1/namespaces/default/pods/a/status'],
  ['DELETE', '/api/v1/namespaces'],
  ['OPTIONS', '/api/v1/pods'],
  ['DELETE', '/api/v1/namespaces/default/bindings/a'],
  ['PUT', '/api/v1/namespaces/default/bindings/a'],
  ['PATCH', '/api/v1/namespaces/default/bindings'],
];

const accepts: readonly string[] = [
  'application/yaml',
  'application/json;q=0.5,application/yaml',
  '*/*',
  'application/*',
  'application/json;as=Table;g=meta.k8s.io;v=v1,application/json',
  'application/json;as=Table;g=meta.k8s.io;v=v9,application/json',
];

/** Paths, methods and media types, mostly without objects. */
export const paths = scenario('paths', [
  ...addresses.map((path) => get(path)),
  ...methods.map(([method, path]): Step => ({ name: `${method} ${path}`, method, path })),
  ...accepts.map((accept) => get('/api/v1/namespaces/default/limitranges', { accept })),
]);
