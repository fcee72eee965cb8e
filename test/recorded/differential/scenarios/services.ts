import { get, inNamespace, patch, post, put, remove, scenario, type Step, tableType } from '../scenario.ts';

const namespace = '/api/v1/namespaces/diff-services';
const services = `${namespace}/services`;
const networking = '/apis/networking.k8s.io/v1';
const addresses = `${networking}/ipaddresses`;
const ranges = `${networking}/servicecidrs`;

// Addresses up to 10.0.0.16 are not given to services that ask for none.

const ports = [{ name: 'web', port: 80 }];

function service(name: string, spec: object = {}): object {
  return { metadata: { name }, spec: { ports, ...spec } };
}

function refuse(what: string, spec: object): Step {
  return post(what, services, service('refused', spec));
}

function address(name: string, spec: object | undefined): object {
  return { metadata: { name }, ...(spec === undefined ? {} : { spec }) };
}

const clusterIps: readonly Step[] = [
  post('create with an address', services, service('fixed', { clusterIP: '10.0.0.9' })),
  get(`${addresses}/10.0.0.9`),
  get(`${addresses}/10.0.0.9`, { accept: tableType }),
  refuse('an address that is taken', { clusterIP: '10.0.0.9' }),
  refuse('an address that is taken, as a list', { clusterIPs: ['10.0.0.9'] }),
  refuse('an address outside of all ranges', { clusterIP: '10.99.0.9' }),
  refuse('the address of the network', { clusterIP: '10.0.0.0' }),
  refuse('the broadcast address', { clusterIP: '10.0.0.255' }),
  refuse('the address of kubernetes', { clusterIP: '10.0.0.1' }),
  refuse('no address', { clusterIP: '10.0.0' }),
  refuse('two addresses that differ', { clusterIP: '10.0.0.10', clusterIPs: ['10.0.0.11'] }),
  refuse('an address of the other family', { clusterIP: 'fd00::9' }),
  post('try an address that is taken', `${services}?dryRun=All`, service('tried', { clusterIP: '10.0.0.9' })),
  post('try an address outside of all ranges', `${services}?dryRun=All`, service('tried', { clusterIP: '10.99.0.9' })),
  post('try any address', `${services}?dryRun=All`, service('tried')),
  get(`${addresses}/10.0.0.12`),
  post('create what cannot be valid', services, service('wrong', { clusterIP: '10.0.0.12', sessionAffinity: 'x' })),
  get(`${addresses}/10.0.0.12`, { name: 'its address was given back' }),
  post('create again under the same name', services, service('fixed', { clusterIP: '10.0.0.13' })),
  get(`${addresses}/10.0.0.13`, { name: 'its address was given back, too' }),
  patch('change the address', `${services}/fixed`, { type: 'merge', body: { spec: { clusterIP: '10.0.0.14' } } }),
  patch('become another host', `${services}/fixed`, {
    type: 'merge',
    body: { spec: { type: 'ExternalName', externalName: 'example.com' } },
  }),
  get(`${addresses}/10.0.0.9`, { name: 'a host has no address' }),
  patch('come back with another address', `${services}/fixed`, {
    type: 'merge',
    body: { spec: { type: 'ClusterIP', externalName: null, clusterIP: '10.0.0.15' } },
  }),
  get(`${addresses}/10.0.0.15`),
  put('create by an update', `${services}/put`, service('put', { clusterIP: '10.0.0.16' })),
  put('create by an update with an address that is taken', `${services}/putted`, {
    ...service('putted', { clusterIP: '10.0.0.16' }),
  }),
  remove('delete', `${services}/fixed`),
  get(`${addresses}/10.0.0.15`, { name: 'a deleted service has no address' }),
  post('the address is free', services, service('next', { clusterIP: '10.0.0.15' })),
  post('headless', services, service('headless', { clusterIP: 'None', selector: { app: 'a' } })),
  post('headless with another address', services, service('refused', { clusterIPs: ['None', '10.0.0.20'] })),
];

const families: readonly Step[] = [
  refuse('both families', { ipFamilyPolicy: 'RequireDualStack' }),
  refuse('the other family', { ipFamilies: ['IPv6'] }),
  refuse('one policy and two families', { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'] }),
  refuse('one family twice', { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv4'] }),
  refuse('two addresses of one family', { ipFamilyPolicy: 'PreferDualStack', clusterIPs: ['10.0.0.21', '10.0.0.22'] }),
  post(
    'rather both families',
    services,
    service('rather', { ipFamilyPolicy: 'PreferDualStack', clusterIP: '10.0.0.7' }),
  ),
  patch('then both', `${services}/rather`, { type: 'merge', body: { spec: { ipFamilyPolicy: 'RequireDualStack' } } }),
  post('headless of all families', services, service('open', { clusterIP: 'None' })),
];

const nodePort = (number: number, rest: object = {}): object => ({ ...ports[0], nodePort: number, ...rest });

const nodePorts: readonly Step[] = [
  post('create with a node port', services, service('node', { type: 'NodePort', ports: [nodePort(31_009)] })),
  refuse('a node port that is taken', { type: 'NodePort', ports: [nodePort(31_009)] }),
  refuse('a node port outside of the range', { type: 'NodePort', ports: [nodePort(20_000)] }),
  refuse('one node port for two ports', {
    type: 'NodePort',
    ports: [nodePort(31_010), nodePort(31_010, { name: 'other', port: 81 })],
  }),
  refuse('one that is free and one that is not', {
    type: 'NodePort',
    ports: [nodePort(31_011), nodePort(31_009, { name: 'other', port: 81 })],
  }),
  post('the free one was given back', services, service('free', { type: 'NodePort', ports: [nodePort(31_011)] })),
  post('two protocols of one node port', services, {
    ...service('dns', {
      type: 'NodePort',
      ports: [nodePort(31_053, { port: 53 }), nodePort(31_053, { name: 'udp', protocol: 'UDP', port: 53 })],
    }),
  }),
  refuse('a cluster service with a node port', { ports: [nodePort(31_012)] }),
  post('try a node port that is taken', `${services}?dryRun=All`, {
    ...service('tried', { type: 'NodePort', ports: [nodePort(31_009)] }),
  }),
  post('try a node port outside of the range', `${services}?dryRun=All`, {
    ...service('tried', { type: 'NodePort', ports: [nodePort(20_000)] }),
  }),
  patch('take another node port', `${services}/node`, {
    type: 'strategic',
    body: { spec: { ports: [{ port: 80, nodePort: 31_013 }] } },
  }),
  post('the first is free', services, service('first', { type: 'NodePort', ports: [nodePort(31_009)] })),
  patch('take one that is taken', `${services}/node`, {
    type: 'strategic',
    body: { spec: { ports: [{ port: 80, nodePort: 31_009 }] } },
  }),
  post('a load balancer that is checked', services, {
    ...service('checked', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 31_014 }),
  }),
  refuse('a check port that is taken', {
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 31_014,
  }),
  refuse('a check port outside of the range', {
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 20_000,
  }),
  patch('check no more', `${services}/checked`, {
    type: 'merge',
    body: { spec: { externalTrafficPolicy: 'Cluster', healthCheckNodePort: 0 } },
  }),
  post('the check port is free', services, service('after', { type: 'NodePort', ports: [nodePort(31_014)] })),
  post('a load balancer without node ports', services, {
    ...service('bare', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }),
  }),
];

const parentRef = { group: 'example.com', resource: 'gateways', namespace: 'diff-services', name: 'gate' };

const addressObjects: readonly Step[] = [
  post('create an address of a gateway', addresses, address('10.0.0.5', { parentRef })),
  refuse('the address of a gateway', { clusterIP: '10.0.0.5' }),
  post('an address without a parent', addresses, address('10.0.0.6', undefined)),
  post('an address with an empty parent', addresses, address('10.0.0.6', { parentRef: {} })),
  post(
    'an address of a parent without a name',
    addresses,
    address('10.0.0.6', { parentRef: { resource: 'services' } }),
  ),
  post('an address of a wrong parent', addresses, {
    ...address('10.0.0.6', { parentRef: { group: '_', resource: 'a/b', namespace: '.', name: 'c/d' } }),
  }),
  post('an address that is none', addresses, address('10.0.0', { parentRef })),
  post('an address in another form', addresses, address('fd00:0::1', { parentRef })),
  patch('give it to another parent', `${addresses}/10.0.0.5`, {
    type: 'merge',
    body: { spec: { parentRef: { name: 'other' } } },
  }),
  patch('label it', `${addresses}/10.0.0.5`, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } }),
  remove('delete it', `${addresses}/10.0.0.5`),
  post('then a service may have it', services, service('gate', { clusterIP: '10.0.0.5' })),
];

function range(...cidrs: string[]): object {
  return { metadata: { name: 'diff-more' }, spec: { cidrs } };
}

const rangeObjects: readonly Step[] = [
  post('no range', ranges, range()),
  post('three ranges', ranges, range('10.8.0.0/24', 'fd00::/112', '10.7.0.0/24')),
  post('two ranges of one family', ranges, range('10.8.0.0/24', '10.7.0.0/24')),
  post('a range that is none', ranges, range('10.8.0.0')),
  post('a range with host bits', ranges, range('10.8.0.1/24')),
  post('declare a range', ranges, range('10.8.0.0/29')),
  post('a service of that range', services, service('more', { clusterIP: '10.8.0.3' }), { until: '"clusterIPs"' }),
  get(`${addresses}/10.8.0.3`),
  refuse('an address of that range that is taken', { clusterIP: '10.8.0.3' }),
  patch('change the range', `${ranges}/diff-more`, { type: 'merge', body: { spec: { cidrs: ['10.8.0.0/24'] } } }),
  patch('drop the range', `${ranges}/diff-more`, { type: 'merge', body: { spec: { cidrs: [] } } }),
  patch('add one of the same family', `${ranges}/diff-more`, {
    type: 'merge',
    body: { spec: { cidrs: ['10.8.0.0/29', '10.7.0.0/29'] } },
  }),
  patch('change the ranges of the server', `${ranges}/kubernetes`, {
    type: 'merge',
    body: { spec: { cidrs: ['10.1.0.0/24'] } },
  }),
];

/** Allocations of services: addresses, ranges and node ports. */
export const servicesScenario = scenario('services', [
  inNamespace('diff-services'),
  ...clusterIps,
  ...families,
  ...nodePorts,
  ...addressObjects,
  ...rangeObjects,
]);
