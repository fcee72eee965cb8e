import { places, service } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'service-ports';
const services = places.services(space);

/** Each story is a list of port lists, written one after another to one service. */
const stories: { readonly [name: string]: readonly (readonly object[])[] } = {
  'two protocols of one number': [
    [
      { name: 'tcp', port: 53, protocol: 'TCP' },
      { name: 'udp', port: 53, protocol: 'UDP' },
    ],
    [
      { name: 'tcp', port: 53, protocol: 'TCP', targetPort: 5353 },
      { name: 'udp', port: 53, protocol: 'UDP', targetPort: 5354 },
    ],
    [{ name: 'udp', port: 53, protocol: 'UDP' }],
  ],
  'a protocol that changes': [
    [{ name: 'a', port: 80 }],
    [{ name: 'a', port: 80, protocol: 'UDP' }],
    [{ name: 'a', port: 80, protocol: 'TCP' }],
  ],
  'a number that changes': [
    [{ name: 'a', port: 80 }],
    [{ name: 'a', port: 81 }],
    [
      { name: 'a', port: 81 },
      { name: 'b', port: 80 },
    ],
  ],
  'names that are swapped': [
    [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ],
    [
      { name: 'b', port: 80 },
      { name: 'a', port: 81 },
    ],
  ],
  'three, then the middle goes': [
    [
      { name: 'a', port: 1 },
      { name: 'b', port: 2 },
      { name: 'c', port: 3 },
    ],
    [
      { name: 'a', port: 1 },
      { name: 'c', port: 3 },
    ],
    [
      { name: 'c', port: 3 },
      { name: 'a', port: 1 },
    ],
  ],
  'a target that is a name': [
    [{ port: 80, targetPort: 'http' }],
    [{ port: 80, targetPort: 8080 }],
    [{ port: 80, targetPort: '8080' }],
    [{ port: 80 }],
  ],
  'protocols of other cases': [
    [{ port: 80, protocol: 'tcp' }],
    [{ port: 80, protocol: '' }],
    [{ port: 80, protocol: 'SCTP' }],
  ],
  'node ports': [
    [
      { name: 'a', port: 80, nodePort: 30_001 },
      { name: 'b', port: 81, nodePort: 30_002 },
    ],
    [
      { name: 'a', port: 80, nodePort: 30_002 },
      { name: 'b', port: 81, nodePort: 30_001 },
    ],
    [
      { name: 'a', port: 80, protocol: 'TCP', nodePort: 30_001 },
      { name: 'b', port: 80, protocol: 'UDP', nodePort: 30_001 },
    ],
    [
      { name: 'a', port: 80, nodePort: 30_001 },
      { name: 'b', port: 81, nodePort: 30_001 },
    ],
    [{ name: 'a', port: 80, nodePort: 1 }],
  ],
  'protocols of applications': [
    [{ port: 80, appProtocol: 'http' }],
    [{ port: 80, appProtocol: 'example.com/h2c' }],
    [{ port: 80, appProtocol: 'not valid!' }],
    [{ port: 80, appProtocol: '' }],
  ],
  'no ports': [[], [{ port: 80 }], []],
  'wrong ports': [
    [{ port: 0 }],
    [{ port: 65536 }],
    [{ port: -1 }],
    [{}],
    [{ port: 80, targetPort: 0 }],
    [{ port: 80, targetPort: -1 }],
    [{ port: 80, targetPort: 'A' }],
  ],
};

function storyOf(name: string, ports: readonly (readonly object[])[], index: number): readonly Step[] {
  const type = name === 'node ports' ? { type: 'NodePort' } : {};
  const spec = (list: readonly object[]): object => ({ selector: { app: 'x' }, ports: list, ...type });
  const applied = `${services}/a${index}`;
  const changed = `${services}/b${index}`;
  return [
    ...ports.map((list, at) => apply(`${name}: apply ${at}`, applied, service(`a${index}`, spec(list)), 'one')),
    apply(`${name}: another applies the first`, applied, service(`a${index}`, spec(ports[0] ?? [])), 'two'),
    get(`${name}: what is there`, applied),
    remove(`${name}: delete what was applied`, applied),
    ...ports.flatMap((list, at) => [
      at === 0
        ? post(`${name}: post`, services, service(`b${index}`, spec(list)))
        : put(`${name}: put ${at}`, changed, service(`b${index}`, spec(list))),
    ]),
    ...ports.map((list, at) => patch(`${name}: strategic ${at}`, 'strategic', changed, { spec: { ports: list } })),
    ...ports.map((list, at) => patch(`${name}: merge ${at}`, 'merge', changed, { spec: { ports: list } })),
    remove(`${name}: delete`, changed),
  ];
}

/** Reports: ports with one number and two protocols, which apply and strategic patches tell apart differently. */
export const servicePorts = script(
  'service-ports',
  inNamespace(space),
  Object.entries(stories).flatMap(([name, ports], index) => storyOf(name, ports, index)),
  post(
    'a service to remove ports from',
    services,
    service('r', {
      ports: [
        { name: 'a', port: 53, protocol: 'TCP' },
        { name: 'b', port: 53, protocol: 'UDP' },
        { name: 'c', port: 80 },
      ],
    }),
  ),
  patch('delete by number', 'strategic', `${services}/r`, { spec: { ports: [{ port: 53, $patch: 'delete' }] } }),
  get('what is left', `${services}/r`),
  patch('an order', 'strategic', `${services}/r`, {
    spec: { ports: [{ name: 'd', port: 81 }], '$setElementOrder/ports': [{ port: 81 }, { port: 80 }] },
  }),
  forEach(
    {
      ExternalName: { type: 'ExternalName', externalName: 'a.example.com' },
      headless: { clusterIP: 'None' },
      NodePort: { type: 'NodePort' },
      LoadBalancer: { type: 'LoadBalancer' },
      ClusterIP: { type: 'ClusterIP' },
    },
    (spec, name) => [
      patch(`to ${name}`, 'merge', `${services}/r`, { spec }),
      patch(`to ${name}, with force`, 'merge', `${services}/r`, {
        spec: { clusterIP: null, clusterIPs: null, ...spec },
      }),
    ],
  ),
);
