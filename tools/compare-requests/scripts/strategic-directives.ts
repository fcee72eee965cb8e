import { configMap, deployment, instance, places, podSpec, service } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { define } from '../definitions.ts';
import { forEach, get, inNamespace, patch, post } from '../steps.ts';

const space = 'directives';
const deployments = places.deployments(space);
const base = deployment('d', {
  template: {
    metadata: { labels: { app: 'x' }, annotations: { a: '1', b: '2' } },
    spec: podSpec(
      {
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
          { name: 'C', value: '3' },
        ],
        ports: [
          { containerPort: 80, name: 'http' },
          { containerPort: 443, name: 'https' },
        ],
        args: ['a', 'b'],
        volumeMounts: [
          { name: 'v', mountPath: '/v' },
          { name: 'w', mountPath: '/w' },
        ],
      },
      {
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'w', configMap: { name: 'c' } },
        ],
        tolerations: [{ key: 'k', operator: 'Exists' }],
        imagePullSecrets: [{ name: 's' }],
        nodeSelector: { a: 'b' },
      },
    ),
  },
});

const pod = (spec: object): object => ({ spec: { template: { spec } } });
const container = (fields: object): object => pod({ containers: [{ name: 'c', ...fields }] });

const patches: { readonly [name: string]: unknown } = {
  'delete an item': container({ env: [{ name: 'A', $patch: 'delete' }] }),
  'delete an item that is not there': container({ env: [{ name: 'Z', $patch: 'delete' }] }),
  'delete without a key': container({ env: [{ $patch: 'delete' }] }),
  'delete two': container({
    env: [
      { name: 'A', $patch: 'delete' },
      { name: 'B', $patch: 'delete' },
    ],
  }),
  'delete and add one': container({
    env: [
      { name: 'A', $patch: 'delete' },
      { name: 'A', value: 'new' },
    ],
  }),
  'replace a list': container({ env: [{ $patch: 'replace' }, { name: 'N', value: 'n' }] }),
  'replace a list by nothing': container({ env: [{ $patch: 'replace' }] }),
  'replace at the end': container({ env: [{ name: 'N', value: 'n' }, { $patch: 'replace' }] }),
  merge: container({ env: [{ name: 'A', value: 'm', $patch: 'merge' }] }),
  'an unknown directive of an item': container({ env: [{ name: 'A', $patch: 'remove' }] }),
  'a directive that is a number': container({ env: [{ name: 'A', $patch: 1 }] }),
  'a directive that is null': container({ env: [{ name: 'A', $patch: null }] }),
  'replace a map': { spec: { template: { metadata: { annotations: { $patch: 'replace', z: '1' } } } } },
  'delete a map': { spec: { template: { metadata: { annotations: { $patch: 'delete' } } } } },
  'an unknown directive of a map': { spec: { template: { metadata: { annotations: { $patch: 'x' } } } } },
  'replace everything': { $patch: 'replace', metadata: { name: 'd', namespace: space } },
  'delete everything': { $patch: 'delete' },
  'retain keys': { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
  'retain keys without the one given': { spec: { strategy: { $retainKeys: [], type: 'Recreate' } } },
  'retain keys, another': { spec: { strategy: { $retainKeys: ['rollingUpdate'], type: 'Recreate' } } },
  'retain keys that are no list': { spec: { strategy: { $retainKeys: 'type', type: 'Recreate' } } },
  'retain keys that are numbers': { spec: { strategy: { $retainKeys: [1], type: 'Recreate' } } },
  'retain keys of a volume': pod({
    volumes: [{ name: 'v', $retainKeys: ['name', 'secret'], secret: { secretName: 's' } }],
  }),
  'a volume of another type': pod({ volumes: [{ name: 'v', secret: { secretName: 's' } }] }),
  'an order': container({ '$setElementOrder/env': [{ name: 'C' }, { name: 'B' }, { name: 'A' }] }),
  'an order of some': container({ '$setElementOrder/env': [{ name: 'C' }, { name: 'A' }] }),
  'an order with an unknown one': container({ '$setElementOrder/env': [{ name: 'Z' }, { name: 'A' }] }),
  'an order that lacks a given one': container({
    '$setElementOrder/env': [{ name: 'A' }],
    env: [{ name: 'N', value: 'n' }],
  }),
  'an order with a new one': container({
    '$setElementOrder/env': [{ name: 'N' }, { name: 'A' }, { name: 'B' }, { name: 'C' }],
    env: [{ name: 'N', value: 'n' }],
  }),
  'an order without keys': container({ '$setElementOrder/env': [{ value: 'x' }] }),
  'an order that is no list': container({ '$setElementOrder/env': 'x' }),
  'an order of texts': container({ '$setElementOrder/env': ['A', 'B'] }),
  'an order of mounts': container({ '$setElementOrder/volumeMounts': [{ mountPath: '/w' }, { mountPath: '/v' }] }),
  'an order of ports': container({ '$setElementOrder/ports': [{ containerPort: 443 }, { containerPort: 80 }] }),
  'an order of a list without keys': container({ '$setElementOrder/args': ['b', 'a'] }),
  'deletion from primitives': container({ '$deleteFromPrimitiveList/args': ['a'] }),
  'deletion of finalizers': { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } },
  'deletion that is no list': { metadata: { '$deleteFromPrimitiveList/finalizers': 'example.com/a' } },
  'deletion of objects': container({ '$deleteFromPrimitiveList/env': [{ name: 'A' }] }),
  'order of finalizers': {
    metadata: { '$setElementOrder/finalizers': ['example.com/c', 'example.com/b'], finalizers: ['example.com/c'] },
  },
  'a finalizer more': { metadata: { finalizers: ['example.com/c', 'example.com/a'] } },
  'a null list': container({ env: null }),
  'a null item': container({ env: [null] }),
  'an item that is a text': container({ env: ['A'] }),
  'a list that is a map': container({ env: { name: 'A' } }),
  'a map that is a list': { spec: { template: { metadata: { annotations: ['a'] } } } },
  'a whole atomic list': pod({ tolerations: [{ key: 'z', operator: 'Exists' }] }),
  'replace an atomic list': pod({ tolerations: [{ $patch: 'replace' }, { key: 'z', operator: 'Exists' }] }),
  'a pull secret': pod({ imagePullSecrets: [{ name: 't' }] }),
  'delete a pull secret': pod({ imagePullSecrets: [{ name: 's', $patch: 'delete' }] }),
  'a key that is a number': pod({ containers: [{ name: 1 }] }),
  'a port that is a text': container({ ports: [{ containerPort: '80', name: 'x' }] }),
  'a container without a name': pod({ containers: [{ image: 'x' }] }),
  'an unknown field': pod({ nope: 1 }),
  'an unknown directive': { spec: { $nope: 1 } },
  'an order of an unknown list': { spec: { '$setElementOrder/nope': ['a'] } },
  'a replaced selector': { spec: { selector: { $patch: 'replace', matchLabels: { app: 'x' } } } },
  'a name that differs': { metadata: { name: 'e' } },
  'a null template': { spec: { template: null } },
  'an empty patch': {},
  'a list as a patch': [],
  'a text as a patch': '"x"',
  'null as a patch': 'null',
  'not JSON': '{',
};

function directiveSteps(body: unknown, name: string): readonly Step[] {
  return [
    patch(`${name}, not stored`, 'strategic', `${deployments}/d?dryRun=All`, body),
    patch(`${name}, with strict fields`, 'strategic', `${deployments}/d?dryRun=All&fieldValidation=Strict`, body),
  ];
}

const custom = {
  group: 'directives.example.com',
  plural: 'gadgets',
  kind: 'Gadget',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
} as const;
const gadgets = places.custom(custom.group, custom.plural, space);
const configMaps = places.configMaps(space);

/** Reports: directives such as `$patch` and `$retainKeys`, as kubectl and users write them. */
export const strategicDirectives = script(
  'strategic-directives',
  inNamespace(space),
  post('a deployment', deployments, {
    ...base,
    metadata: { name: 'd', finalizers: ['example.com/a', 'example.com/b'] },
  }),
  forEach(patches, directiveSteps),
  forEach(
    {
      'delete A': container({ env: [{ name: 'A', $patch: 'delete' }] }),
      'delete it again': container({ env: [{ name: 'A', $patch: 'delete' }] }),
      recreate: patches['retain keys'],
      replace: patches['replace a list'],
      order: patches['an order of mounts'],
    },
    (body, name) => patch(`stored: ${name}`, 'strategic', `${deployments}/d`, body),
  ),
  get('the deployment', `${deployments}/d`),
  define(custom),
  post('a gadget', gadgets, instance(custom, 'g', { spec: { list: [{ name: 'a' }], map: { a: 1 } } })),
  patch('a strategic patch of a custom resource', 'strategic', `${gadgets}/g`, { spec: { map: { $patch: 'delete' } } }),
  patch('directives in a merge patch', 'merge', `${gadgets}/g`, {
    spec: { map: { $patch: 'delete' }, list: [{ $patch: 'replace' }] },
  }),
  post('a config map', configMaps, configMap('c', { a: '1', b: '2' })),
  forEach(
    {
      'replace data': { data: { $patch: 'replace', z: '1' } },
      'delete data': { data: { $patch: 'delete' } },
      'retain keys of data': { data: { $retainKeys: ['z'], z: '2' } },
      'a directive as data': { data: { $patch: 'merge', y: '1' } },
      'binary data': { binaryData: { x: 'eA==' } },
    },
    (body, name) => [
      patch(`config map: ${name}`, 'strategic', `${configMaps}/c`, body),
      patch(`config map: ${name}, as a merge patch`, 'merge', `${configMaps}/c`, body),
    ],
  ),
  post(
    'a service',
    places.services(space),
    service('s', {
      ports: [
        { port: 1, name: 'a' },
        { port: 2, name: 'b' },
      ],
    }),
  ),
  patch('service: delete a port', 'strategic', `${places.services(space)}/s`, {
    spec: { ports: [{ port: 1, $patch: 'delete' }] },
  }),
  patch('service: replace ports', 'strategic', `${places.services(space)}/s`, {
    spec: { ports: [{ $patch: 'replace' }, { port: 9 }] },
  }),
  patch('service: replace the spec', 'strategic', `${places.services(space)}/s`, {
    spec: { $patch: 'replace', ports: [{ port: 10 }] },
  }),
);
