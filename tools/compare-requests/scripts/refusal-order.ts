import { define } from '../definitions.ts';
import { deployment, places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { forEach, get, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'refusal-order';
const custom = { group: 'refusal-order.example.com', plural: 'orders', kind: 'Order' } as const;
const collections: { readonly [name: string]: string } = {
  secrets: places.secrets(space),
  endpoints: `/api/v1/namespaces/${space}/endpoints`,
  jobs: `/apis/batch/v1/namespaces/${space}/jobs`,
  events: `/api/v1/namespaces/${space}/events`,
  orders: places.custom(custom.group, custom.plural, space),
};
const accepts = ['x', 'application/*', 'application/yaml', 'application/json;as=x', 'application/json;stream=watch'];
const patchTypes = ['application/json', '', 'application/apply-patch+cbor', 'application/merge-patch+json'];
/** Options that are wrong on their own or together. */
const queries = [
  '',
  'labelSelector=%3D',
  'fieldSelector=metadata.name',
  'fieldSelector=nope%3Da',
  'continue=x',
  'limit=x',
  'sendInitialEvents=true',
  'sendInitialEvents=true&labelSelector=%3D',
  'sendInitialEvents=true&fieldSelector=a',
  'resourceVersionMatch=Exact&labelSelector=a%3Db%3Dc',
  'resourceVersionMatch=Exact&fieldSelector=nope%3Da',
  'resourceVersionMatch=Exact&continue=x',
  'resourceVersion=x&fieldSelector=nope%3Da',
  'timeoutSeconds=x&labelSelector=%3D',
];

function stepsOf(collection: string, name: string): readonly Step[] {
  return [
    ...accepts.flatMap((accept) => [
      ...patchTypes.map((contentType) =>
        patch(`${name}: patch as ${contentType} for ${accept}`, 'merge', `${collection}/a`, '{}', {
          contentType,
          accept,
        }),
      ),
      remove(`${name}: delete for ${accept}`, `${collection}/a`, undefined, { accept }),
      remove(`${name}: delete all for ${accept}`, `${collection}?dryRun=All`, undefined, { accept }),
    ]),
    ...queries.flatMap((query) => [
      get(`${name}: list ${query}`, `${collection}?${query}`),
      get(`${name}: list in YAML ${query}`, `${collection}?${query}`, { accept: 'application/yaml' }),
      get(`${name}: watch in YAML ${query}`, `${collection}?watch=1&timeoutSeconds=1&${query}`, {
        accept: 'application/yaml',
      }),
      remove(`${name}: delete all ${query}`, `${collection}?dryRun=All&${query}`),
    ]),
  ];
}

const scaled = `${places.deployments(space)}/scaled`;
const metadata: { readonly [name: string]: object } = {
  'no name': {},
  'no name and another namespace': { namespace: 'other' },
  'another name and another namespace': { name: 'other', namespace: 'other' },
  'another name': { name: 'other' },
};

/** Requests that are wrong in several ways: what is told first, and which warnings come with it. */
export const refusalOrder = script(
  space,
  inNamespace(space),
  define(custom),
  forEach(collections, stepsOf),
  post('a deployment', places.deployments(space), deployment('scaled')),
  forEach(metadata, (of, name) => [
    put(`${name}: put`, scaled, { ...deployment('scaled'), metadata: of }),
    put(`${name}: scale`, `${scaled}/scale`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: of,
      spec: { replicas: 2 },
    }),
  ]),
);
