import { deployment, instance, places, podSpec, service } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { define } from '../definitions.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'list-keys';
const custom = {
  group: 'list-keys.example.com',
  plural: 'things',
  kind: 'Thing',
  properties: {
    spec: {
      type: 'object',
      properties: {
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        numbers: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'number' } },
        atomic: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
        one: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, value: { type: 'string' } },
          },
        },
        two: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            required: ['port'],
            properties: {
              port: { type: 'integer' },
              protocol: { type: 'string', default: 'TCP' },
              note: { type: 'string' },
            },
          },
        },
      },
    },
  },
} as const;
const things = places.custom(custom.group, custom.plural, space);

const specs: { readonly [name: string]: object } = {
  'a set': { set: ['a', 'b', 'a'] },
  'a set of numbers': { numbers: [1, 1.0, 2] },
  'equal numbers': { numbers: [1, 1.5, 1] },
  'an atomic list': { atomic: ['a', 'a'] },
  'one key': { one: [{ name: 'a', value: '1' }, { name: 'b' }, { name: 'a', value: '2' }] },
  'no key': { one: [{ value: '1' }] },
  'an empty key': { one: [{ name: '' }, { name: '' }] },
  'a key of another type': { one: [{ name: 1 }] },
  'two keys': {
    two: [
      { port: 1, protocol: 'TCP' },
      { port: 1, protocol: 'UDP' },
    ],
  },
  'two keys, one of them defaulted': { two: [{ port: 1 }, { port: 1, protocol: 'TCP' }] },
  'both defaulted': { two: [{ port: 1 }, { port: 1 }] },
  'defaulted and other': {
    two: [
      { port: 1, note: 'x' },
      { port: 1, protocol: 'UDP', note: 'y' },
    ],
  },
  'three of one': { one: [{ name: 'a' }, { name: 'a' }, { name: 'a' }] },
  'two pairs': { one: [{ name: 'a' }, { name: 'b' }, { name: 'a' }, { name: 'b' }] },
};

function customSteps(spec: object, name: string): readonly Step[] {
  return [
    post(`post ${name}`, `${things}?dryRun=All`, instance(custom, 'posted', { spec })),
    apply(`apply ${name}`, `${things}/applied`, instance(custom, 'applied', { spec }), 'one&force=true'),
    patch(`merge ${name}`, 'merge', `${things}/base?dryRun=All`, { spec }),
    put(
      `put ${name}`,
      `${things}/base?dryRun=All`,
      instance(custom, 'base', { spec }, { resourceVersion: '{{base|metadata.resourceVersion}}' }),
    ),
  ];
}

const containers: { readonly [name: string]: object } = {
  variables: {
    env: [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ],
  },
  'three variables': {
    env: [
      { name: 'A', value: '1' },
      { name: 'B', value: '$(A)' },
      { name: 'A', value: '3' },
    ],
  },
  ports: { ports: [{ containerPort: 80 }, { containerPort: 80 }] },
  'ports of two protocols': {
    ports: [
      { containerPort: 53, protocol: 'UDP' },
      { containerPort: 53, protocol: 'TCP' },
    ],
  },
  'names of ports': {
    ports: [
      { containerPort: 80, name: 'http' },
      { containerPort: 81, name: 'http' },
    ],
  },
  mounts: {
    volumeMounts: [
      { name: 'v', mountPath: '/a' },
      { name: 'v', mountPath: '/a' },
    ],
  },
  claims: { resources: { claims: [{ name: 'x' }, { name: 'x' }] } },
  devices: {
    volumeDevices: [
      { name: 'v', devicePath: '/a' },
      { name: 'v', devicePath: '/a' },
    ],
  },
};
const specsOfPods: { readonly [name: string]: object } = {
  volumes: {
    volumes: [
      { name: 'v', emptyDir: {} },
      { name: 'v', emptyDir: {} },
    ],
  },
  containers: {
    containers: [
      { name: 'c', image: 'a' },
      { name: 'c', image: 'b' },
    ],
  },
  'init containers': {
    initContainers: [
      { name: 'i', image: 'a' },
      { name: 'i', image: 'b' },
    ],
  },
  'host aliases': {
    hostAliases: [
      { ip: '1.2.3.4', hostnames: ['a'] },
      { ip: '1.2.3.4', hostnames: ['b'] },
    ],
  },
  'pull secrets': { imagePullSecrets: [{ name: 'a' }, { name: 'a' }] },
  tolerations: {
    tolerations: [
      { key: 'a', operator: 'Exists' },
      { key: 'a', operator: 'Exists' },
    ],
  },
  spread: {
    topologySpreadConstraints: [
      { topologyKey: 'z', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' },
      { topologyKey: 'z', maxSkew: 2, whenUnsatisfiable: 'DoNotSchedule' },
    ],
  },
  gates: { schedulingGates: [{ name: 'a/b' }, { name: 'a/b' }] },
  'readiness gates': { readinessGates: [{ conditionType: 'a' }, { conditionType: 'a' }] },
};
const deployments = places.deployments(space);

function templated(spec: object): object {
  return { template: { metadata: { labels: { app: 'x' } }, spec } };
}

function deploymentSteps(spec: object, name: string): readonly Step[] {
  return [
    post(`post a deployment: ${name}`, `${deployments}?dryRun=All`, deployment('p', templated(spec))),
    apply(
      `apply a deployment: ${name}`,
      `${deployments}/applied`,
      deployment('applied', templated(spec)),
      'one&force=true',
    ),
    patch(`strategic patch: ${name}`, 'strategic', `${deployments}/base?dryRun=All`, { spec: templated(spec) }),
  ];
}

const services: { readonly [name: string]: object } = {
  'one port twice': {
    ports: [
      { port: 80, name: 'a' },
      { port: 80, name: 'b' },
    ],
  },
  'one name twice': {
    ports: [
      { port: 80, name: 'a' },
      { port: 81, name: 'a' },
    ],
  },
  'external addresses': { ports: [{ port: 80 }], externalIPs: ['1.2.3.4', '1.2.3.4'] },
  ranges: { type: 'LoadBalancer', ports: [{ port: 80 }], loadBalancerSourceRanges: ['10.1.0.0/16', '10.1.0.0/16'] },
  families: { ports: [{ port: 80 }], ipFamilies: ['IPv4', 'IPv4'] },
};

/** Reports: an item twice in a list with keys, which client-side tools let pass. */
export const listKeys = script(
  'list-keys',
  inNamespace(space),
  define(custom),
  post('base', things, instance(custom, 'base', { spec: { one: [{ name: 'a', value: '0' }], set: ['z'] } })),
  forEach(specs, customSteps),
  get('the things', things),
  post('base deployment', deployments, deployment('base')),
  forEach(containers, (container, name) =>
    deploymentSteps(podSpec(container, { volumes: [{ name: 'v', emptyDir: {} }] }), name),
  ),
  forEach(specsOfPods, (spec, name) => deploymentSteps(podSpec({}, spec), name)),
  forEach(services, (spec, name) => [
    post(`post a service: ${name}`, `${places.services(space)}?dryRun=All`, service('p', spec)),
    apply(
      `apply a service: ${name}`,
      `${places.services(space)}/applied?dryRun=All`,
      service('applied', spec),
      'one&force=true',
    ),
  ]),
  // An object with an item twice, made without apply, is then applied to.
  put(
    'a deployment with a variable twice',
    `${deployments}/base`,
    deployment(
      'base',
      templated(
        podSpec({
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
          ],
        }),
      ),
    ),
  ),
  get('its owners', `${deployments}/base`),
  apply(
    'apply another variable',
    `${deployments}/base`,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'base' },
      spec: { template: { spec: { containers: [{ name: 'c', env: [{ name: 'B', value: '3' }] }] } } },
    },
    'two',
  ),
  apply(
    'apply the same variable',
    `${deployments}/base`,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'base' },
      spec: { template: { spec: { containers: [{ name: 'c', env: [{ name: 'A', value: '3' }] }] } } },
    },
    'two',
  ),
  apply(
    'apply it with force',
    `${deployments}/base`,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'base' },
      spec: { template: { spec: { containers: [{ name: 'c', env: [{ name: 'A', value: '3' }] }] } } },
    },
    'two&force=true',
  ),
  patch('one of them is deleted', 'strategic', `${deployments}/base`, {
    spec: { template: { spec: { containers: [{ name: 'c', env: [{ name: 'A', $patch: 'delete' }] }] } } },
  }),
  patch('replaced by a JSON patch', 'json', `${deployments}/base`, [
    {
      op: 'add',
      path: '/spec/template/spec/containers/0/env',
      value: [
        { name: 'Z', value: '1' },
        { name: 'Z', value: '2' },
      ],
    },
  ]),
  apply(
    'apply what another owns twice',
    `${deployments}/base`,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'base' },
      spec: { template: { spec: { containers: [{ name: 'c', env: [{ name: 'Z', value: '1' }] }] } } },
    },
    'three&force=true',
  ),
  apply(
    'and nothing more',
    `${deployments}/base`,
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'base' } },
    'three&force=true',
  ),
);
