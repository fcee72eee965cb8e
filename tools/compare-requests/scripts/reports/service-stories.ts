import { places, service } from '../../objects.ts';
import { script, type Step } from '../../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../../steps.ts';

const space = 'service-stories';
const services = places.services(space);
const ports = [{ name: 'a', port: 80 }];
const selector = { app: 'x' };

/** Each is written to a new service, and then to one of each other type. */
const specs: { readonly [name: string]: object } = {
  'cluster IP': { ports },
  headless: { ports, clusterIP: 'None' },
  'headless without ports': { clusterIP: 'None' },
  'node port': { ports, type: 'NodePort' },
  'load balancer': { ports, type: 'LoadBalancer' },
  'local load balancer': { ports, type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
  'load balancer without node ports': { ports, type: 'LoadBalancer', allocateLoadBalancerNodePorts: false },
  'load balancer of a class': { ports, type: 'LoadBalancer', loadBalancerClass: 'example.com/c' },
  'external name': { type: 'ExternalName', externalName: 'a.example.com' },
  'external name with ports': { type: 'ExternalName', externalName: 'a.example.com.', ports },
  affinity: { ports, sessionAffinity: 'ClientIP' },
  'affinity with a time': {
    ports,
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } },
  },
};
const wrong: { readonly [name: string]: object } = {
  'an unknown type': { ports, type: 'Nope' },
  'a cluster IP of another range': { ports, clusterIP: '192.168.0.1' },
  'a cluster IP that is none': { ports, clusterIP: 'x' },
  'an IPv6 address': { ports, clusterIP: 'fd00::1' },
  'a cluster IP beyond': { ports, clusterIP: '10.0.0.255' },
  'the network': { ports, clusterIP: '10.0.0.0' },
  'addresses that differ': { ports, clusterIP: '10.0.0.77', clusterIPs: ['10.0.0.78'] },
  'addresses without one': { ports, clusterIPs: ['10.0.0.79'] },
  'None twice': { ports, clusterIP: 'None', clusterIPs: ['None', 'None'] },
  'three addresses': { ports, clusterIPs: ['10.0.0.80', 'fd00::1', '10.0.0.81'] },
  'both families': { ports, ipFamilyPolicy: 'RequireDualStack' },
  'both families preferred': { ports, ipFamilyPolicy: 'PreferDualStack' },
  'an IPv6 family': { ports, ipFamilies: ['IPv6'] },
  'an unknown family': { ports, ipFamilies: ['IPv5'] },
  'an unknown policy': { ports, ipFamilyPolicy: 'Nope' },
  'a policy of traffic': { ports, externalTrafficPolicy: 'Local' },
  'an unknown policy of traffic': { ports, type: 'NodePort', externalTrafficPolicy: 'Nope' },
  'an internal policy': { ports, internalTrafficPolicy: 'Local' },
  'an unknown internal policy': { ports, internalTrafficPolicy: 'Nope' },
  'a health check': { ports, healthCheckNodePort: 30_050 },
  'a health check of a local balancer': {
    ports,
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 30_051,
  },
  'a class without a balancer': { ports, loadBalancerClass: 'example.com/c' },
  'a bad class': { ports, type: 'LoadBalancer', loadBalancerClass: 'Bad Class' },
  'a balancer address': { ports, type: 'LoadBalancer', loadBalancerIP: '1.2.3.4' },
  'ranges of sources': { ports, type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/8', 'x', ' 10.0.0.0/9 '] },
  'ranges without a balancer': { ports, loadBalancerSourceRanges: ['10.0.0.0/8'] },
  'external addresses': { ports, externalIPs: ['1.2.3.4', '::1', '127.0.0.1', 'x', '01.2.3.4'] },
  'no external name': { type: 'ExternalName' },
  'a bad external name': { type: 'ExternalName', externalName: 'a_b' },
  'an external name with an address': { type: 'ExternalName', externalName: 'a.example.com', clusterIP: '10.0.0.82' },
  'a time of affinity': {
    ports,
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } },
  },
  'a time without affinity': { ports, sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
  'an unknown affinity': { ports, sessionAffinity: 'Nope' },
  'a distribution': { ports, trafficDistribution: 'PreferClose' },
  'an unknown distribution': { ports, trafficDistribution: 'Nope' },
  'addresses that are not ready': { ports, publishNotReadyAddresses: true },
  'a node port of another': { ports: [{ port: 80, nodePort: 80 }], type: 'NodePort' },
  'a node port of a cluster IP': { ports: [{ port: 80, nodePort: 30_052 }] },
  'a bad selector': { ports, selector: { 'a b': 'c', d: 'e f' } },
  'a long name of a port': { ports: [{ name: 'abcdefghijklmnopq', port: 80, targetPort: 'abcdefghijklmnopq' }] },
  'names of ports': { ports: [{ port: 80 }, { port: 81 }] },
  'a name in upper case': { ports: [{ name: 'HTTP', port: 80 }] },
};

const types = Object.entries(specs).filter(([name]) => !/affinity|without ports/.test(name));
const of = (name: string, spec: object, metadata: object = {}): object =>
  service(name, { selector, ...spec }, metadata);

/** From one type to another, in each way to write. */
function changes(from: object, name: string, index: number): readonly Step[] {
  return types.flatMap(([other, to], at) => {
    const [own, path] = [`c${index}-${at}`, `${services}/c${index}-${at}`];
    if (index === at) return [];
    return [
      post(`${name}, then ${other}: create`, services, of(own, from)),
      put(`${name}, then ${other}: put`, `${path}?dryRun=All`, of(own, to)),
      patch(`${name}, then ${other}: merge`, 'merge', path, { spec: { ...to, sessionAffinity: null } }),
      remove(`${name}, then ${other}: delete`, path),
    ];
  });
}

/** Reports: services that change their type, and fields that one type has and another has not. */
export const serviceStories = script(
  'service-stories',
  inNamespace(space),
  forEach(specs, (spec, name) => {
    const own = `s-${name.replaceAll(' ', '-')}`;
    return [
      post(`new: ${name}`, `${services}?dryRun=All`, of(own, spec)),
      apply(`applied: ${name}`, `${services}/${own}`, of(own, spec), 'one'),
      apply(`applied again: ${name}`, `${services}/${own}`, of(own, spec), 'one'),
      apply(`without ports: ${name}`, `${services}/${own}?dryRun=All`, of(own, { ...spec, ports: [] }), 'one'),
      put(
        `put without addresses: ${name}`,
        `${services}/${own}`,
        of(own, { ...spec, ports: [{ name: 'b', port: 81 }] }),
      ),
      remove(`deleted: ${name}`, `${services}/${own}`),
    ];
  }),
  forEach(wrong, (spec, name) => post(`odd: ${name}`, `${services}?dryRun=All`, of('odd', spec))),
  types.flatMap(([name, spec], index) => changes(spec, name, index)),
  // The status of a balancer.
  post('a balancer', services, of('lb', { ports, type: 'LoadBalancer' })),
  patch('its address', 'merge', `${services}/lb/status`, {
    status: { loadBalancer: { ingress: [{ ip: '1.2.3.4', ports: [{ port: 80, protocol: 'TCP' }] }] } },
  }),
  patch('a mode', 'merge', `${services}/lb/status`, {
    status: { loadBalancer: { ingress: [{ ip: '1.2.3.4', ipMode: 'Nope' }, { hostname: 'x y' }, { ip: 'x' }, {}] } },
  }),
  patch('a condition', 'merge', `${services}/lb/status`, {
    status: { conditions: [{ type: 'X', status: 'Maybe', reason: 'a b', message: '' }] },
  }),
  patch('it is no balancer', 'merge', `${services}/lb`, { spec: { type: 'ClusterIP' } }),
  patch('a class', 'merge', `${services}/lb`, { spec: { type: 'LoadBalancer', loadBalancerClass: 'a/b' } }),
  patch('another class', 'merge', `${services}/lb`, { spec: { loadBalancerClass: 'a/c' } }),
  get('at the end', `${services}/lb`),
  remove('delete all', services),
);
