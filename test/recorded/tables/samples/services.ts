import type { JsonObject } from '../../../../src/api/json/json.ts';
import { samplesOf } from '../sample.ts';

const http = [{ name: 'http', port: 80 }];

function balancer(...ingress: JsonObject[]): JsonObject {
  return { loadBalancer: { ingress } };
}

function ips(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => ({ ip: `10.3.0.${index + 1}` }));
}

const service = { name: 's', port: { number: 80 } };

function rules(...hosts: string[]): JsonObject[] {
  const http = { paths: [{ path: '/', pathType: 'Prefix', backend: { service } }] };
  return hosts.map((host) => (host === '' ? { http } : { host, http }));
}

const endpointAt = (...addresses: string[]): JsonObject => ({ addresses });

export const serviceSamples = [
  ...samplesOf('v1/services', [
    { body: { spec: { ports: http } } },
    { body: { spec: { ports: http, selector: { b: '2', a: '1' }, externalIPs: ['203.0.113.5', '203.0.113.4'] } } },
    { body: { spec: { clusterIP: 'None', selector: { a: '1' } } } },
    {
      body: {
        spec: {
          type: 'NodePort',
          ports: [
            { name: 'a', port: 80, nodePort: 30080 },
            { name: 'b', port: 53, protocol: 'UDP', nodePort: 30053 },
          ],
        },
      },
    },
    { body: { spec: { type: 'NodePort', ports: http, externalIPs: ['203.0.113.6'] } } },
    { body: { spec: { type: 'ExternalName', externalName: 'db.example.com' } } },
    { body: { spec: { type: 'LoadBalancer', ports: [{ port: 443, nodePort: 30443 }] } } },
    {
      body: { spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: http } },
      status: balancer(
        { ip: '203.0.113.9' },
        { hostname: 'long-name-of-a-balancer.example.com' },
        { ip: '203.0.113.1' },
      ),
    },
    {
      body: {
        spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: http, externalIPs: ['203.0.113.7'] },
      },
      status: balancer({ hostname: 'b.example.com' }, { hostname: 'a.example.com' }),
    },
    {
      body: {
        spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: http, externalIPs: ['203.0.113.8'] },
      },
    },
  ]),
  ...samplesOf('v1/endpoints', [
    {},
    { body: { subsets: [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 80 }] }] } },
    { body: { subsets: [{ notReadyAddresses: [{ ip: '10.1.0.1' }], ports: [{ port: 80 }] }] } },
    { body: { subsets: [{ addresses: ips(2) }] } },
    { body: { subsets: [{ addresses: ips(5) }] } },
    {
      body: {
        subsets: [
          {
            addresses: ips(2),
            ports: [
              { name: 'a', port: 80 },
              { name: 'b', port: 443 },
            ],
          },
          { addresses: [{ ip: 'fd00::7' }], ports: [{ port: 8080 }] },
        ],
      },
    },
    { body: { subsets: [{ addresses: [{ ip: 'fd00::7' }], ports: [{ port: 8080 }] }, { addresses: ips(1) }] } },
  ]),
  ...samplesOf('discovery.k8s.io/v1/endpointslices', [
    { body: { addressType: 'IPv4', endpoints: [] } },
    { body: { addressType: 'IPv4', ports: [{ name: 'http', port: 80 }], endpoints: [endpointAt('10.1.0.1')] } },
    {
      body: {
        addressType: 'IPv6',
        ports: [{ name: 'a', port: 80 }, { name: 'b' }, { name: 'c', port: 82 }, { name: 'd', port: 83 }, { name: '' }],
        endpoints: [endpointAt('fd00::1'), endpointAt('fd00::2'), endpointAt('fd00::3'), endpointAt('fd00::4')],
      },
    },
    {
      body: {
        addressType: 'FQDN',
        ports: [{}],
        endpoints: [endpointAt('a.example.com', 'b.example.com'), endpointAt('c.example.com')],
      },
    },
  ]),
  ...samplesOf('networking.k8s.io/v1/ingresses', [
    { body: { spec: { defaultBackend: { service } } } },
    {
      body: { spec: { ingressClassName: 'nginx', rules: rules('a.example.com') } },
      status: balancer({ ip: '203.0.113.1' }),
    },
    {
      body: {
        spec: { tls: [{ hosts: ['a.example.com'] }], rules: rules('a.example.com', 'b.example.com', 'c.example.com') },
      },
      status: balancer({ hostname: 'long-name-of-a-balancer.example.com' }, { ip: '203.0.113.2' }),
    },
    { body: { spec: { rules: rules('a.example.com', '', 'b.example.com', 'c.example.com', 'd.example.com') } } },
    { body: { spec: { rules: rules('a.example.com', 'b.example.com', 'c.example.com', '') } } },
    { body: { spec: { rules: rules('', 'b.example.com', 'c.example.com', 'd.example.com') } } },
    { body: { spec: { rules: rules('', '') } } },
  ]),
  ...samplesOf('networking.k8s.io/v1/ingressclasses', [
    { body: { spec: { controller: 'example.com/a' } } },
    {
      metadata: { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      body: {
        spec: { controller: 'example.com/b', parameters: { apiGroup: 'example.com', kind: 'Param', name: 'p' } },
      },
    },
    {
      metadata: { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'false' } },
      body: { spec: { controller: 'example.com/c', parameters: { kind: 'ConfigMap', name: 'p' } } },
    },
  ]),
  ...samplesOf('networking.k8s.io/v1/networkpolicies', [
    { body: { spec: { podSelector: {} } } },
    { body: { spec: { podSelector: { matchLabels: { b: '2', a: '1' } } } } },
    {
      body: {
        spec: {
          podSelector: {
            matchLabels: { m: '1' },
            matchExpressions: [
              { key: 'z', operator: 'In', values: ['b', 'a'] },
              { key: 'c', operator: 'NotIn', values: ['x'] },
              { key: 'd', operator: 'Exists' },
              { key: 'a', operator: 'DoesNotExist' },
            ],
          },
        },
      },
    },
  ]),
  ...samplesOf('networking.k8s.io/v1/servicecidrs', [
    { body: { spec: { cidrs: ['192.168.0.0/16'] } } },
    { body: { spec: { cidrs: ['192.168.0.0/16', 'fd00:1::/120'] } } },
  ]),
  ...samplesOf('networking.k8s.io/v1/ipaddresses', [
    { name: '192.168.2.3', body: { spec: { parentRef: { resource: 'services', name: 'web', namespace: 'tables' } } } },
    { name: '192.168.2.4', body: { spec: { parentRef: { group: 'example.com', resource: 'things', name: 'x' } } } },
  ]),
];
