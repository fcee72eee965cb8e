import { define } from '../definitions.ts';
import { deployment, places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { forEach, get, inNamespace, metadataListType, metadataType, patch, post, put, tableType } from '../steps.ts';

const space = 'scaled-kinds';
const group = 'scaled-kinds.example.com';
const custom = {
  group,
  plural: 'rings',
  kind: 'Ring',
  properties: {
    spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
  version: {
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  },
} as const;
const rings = places.custom(group, custom.plural, space);
const deployments = places.deployments(space);
const ring = (name: string, fields: object): object => ({
  apiVersion: `${group}/v1`,
  kind: 'Ring',
  metadata: { name },
  ...fields,
});

const versions: readonly string[] = [
  'extensions/v1beta1',
  'apps/v1beta1',
  'apps/v1beta2',
  'apps/v1',
  'autoscaling/v1',
  'autoscaling/v2',
  'v1',
  'policy/v1',
  'meta.k8s.io/v1',
  'nobody.example.com/v1',
  `${group}/v1`,
];
const kinds: readonly string[] = [
  'Scale',
  'Status',
  'DeleteOptions',
  'Deployment',
  'Ring',
  'UpdateOptions',
  'WatchEvent',
  'List',
  'HorizontalPodAutoscaler',
  'APIGroup',
];

/** Documents that claim other kinds. */
function claims(name: string, collection: string): readonly Step[] {
  const one = `${collection}/a/scale?dryRun=All`;
  return versions.flatMap((apiVersion) =>
    kinds.flatMap((kind) => [
      patch(`${name}: merge ${kind} of ${apiVersion}`, 'merge', one, { apiVersion, kind }),
      put(`${name}: put ${kind} of ${apiVersion}`, one, {
        apiVersion,
        kind,
        metadata: { name: 'a' },
        spec: { replicas: 1 },
      }),
    ]),
  );
}

const internal: readonly string[] = ['Deployment', 'Ring', 'DeleteOptions', 'List'];
const numbers: { readonly [name: string]: object } = {
  zero: { spec: { replicas: 0 } },
  three: { spec: { replicas: 3 } },
  one: { spec: { replicas: 1 }, status: { replicas: 2 } },
};

/** Reports: what a scale can be taken for, and shown as. */
export const scaledKinds = script(
  'scaled-kinds',
  inNamespace(space),
  define(custom),
  post('add a ring', rings, ring('a', { spec: { replicas: 1 } })),
  post('add a deployment', deployments, deployment('a', { replicas: 1 })),
  claims('ring', rings),
  claims('deployment', deployments),
  internal.map((kind) =>
    put(`an internal ${kind}`, `${deployments}/a/scale?dryRun=All`, { apiVersion: 'autoscaling/__internal', kind }),
  ),
  internal.map((kind) =>
    patch(`merge an internal ${kind}`, 'merge', `${rings}/a/scale?dryRun=All`, {
      apiVersion: 'autoscaling/__internal',
      kind,
    }),
  ),
  forEach(numbers, (fields, name) => [
    post(`add ${name}`, rings, ring(name, fields)),
    patch(`status of ${name}`, 'merge', `${rings}/${name}/status`, fields),
    get(`scale of ${name}`, `${rings}/${name}/scale`),
    get(`table of ${name}`, `${rings}/${name}/scale`, { accept: tableType }),
    get(`table of ${name} in YAML`, `${rings}/${name}/scale?includeObject=None`, {
      accept: tableType.replace('json', 'yaml'),
    }),
    get(`metadata of ${name}`, `${rings}/${name}/scale`, { accept: metadataType }),
    get(`${name} as a list`, `${rings}/${name}/scale`, { accept: metadataListType }),
  ]),
  get('a deployment as a list', `${deployments}/a/scale`, { accept: metadataListType }),
  get('table of a deployment', `${deployments}/a/scale`, { accept: tableType }),
);
