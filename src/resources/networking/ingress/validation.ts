import {
  childPath,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../../../api/field-error.ts';
import { pauseIsDue } from '../../../api/findings.ts';
import { parseIpRange } from '../../../api/ip-address.ts';
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  pathSegmentErrors,
  portNameErrors,
  wildcardSubdomainErrors,
} from '../../../api/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type * as networking from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { canonicalIpRange, familyOf, ipAddress, ipRange } from '../../parts/addresses/addresses.ts';
import { domainPrefixedPath } from '../../parts/rules/forms.ts';
import { labelSelector } from '../../parts/selectors/label-selectors.ts';
import { loadBalancerHost } from '../../core/service/validation.ts';
import {
  dnsSubdomain,
  each,
  type Errors,
  form,
  formErrors,
  immutableMessage,
  isEmpty,
  oneOf,
  portNumber,
  required,
  requiredAnd,
  sealedField,
} from '../../parts/rules/rules.ts';

// Ingresses, their classes, network policies, addresses and ranges of services.

const hostForm = (host: string) => (host.includes('*') ? wildcardSubdomainErrors(host) : dnsSubdomainErrors(host));

export function* ingress({ spec = {} }: networking.Ingress): Errors {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec;
  if (rules.length === 0 && !defaultBackend) {
    yield invalidField('spec', null, 'either `defaultBackend` or `rules` must be specified');
  }
  if (defaultBackend) yield* backend(defaultBackend, 'spec.defaultBackend');
  for (const [index, rule] of rules.entries()) {
    if (pauseIsDue()) yield;
    yield* ingressRule(rule, keyPath('spec.rules', index));
  }
  for (const [index, { hosts, secretName }] of tls.entries()) {
    if (pauseIsDue()) yield;
    yield* each<string>(form(hostForm))(hosts, `spec.tls[${index}].hosts`);
    if (!isEmpty(secretName)) yield* dnsSubdomain(secretName, `spec.tls[${index}].secretName`);
  }
  if (ingressClassName !== undefined) yield* dnsSubdomain(ingressClassName, 'spec.ingressClassName');
}

const classAnnotation = 'kubernetes.io/ingress.class';

export function* ingressClassAnnotation({ metadata, spec }: networking.Ingress): Errors {
  const annotation = metadata?.annotations?.[classAnnotation];
  const name = spec?.ingressClassName;
  if (annotation === undefined || name === undefined || annotation === name) return;
  const detail = 'must match `ingressClassName` when both are specified';
  yield invalidField(`annotations.${classAnnotation}`, annotation, detail);
}

function* ingressRule({ host = '', http }: networking.IngressRule, path: string): Errors {
  const hostPath = childPath(path, 'host');
  if (host !== '') {
    if (familyOf(host) !== undefined) yield invalidField(hostPath, host, 'must be a DNS name, not an IP address');
    yield* formErrors(hostPath, host, hostForm(host));
  }
  if (http === undefined) return;
  const pathsPath = childPath(path, 'http.paths');
  yield* required()(http.paths, pathsPath);
  yield* each(ingressPath)(http.paths, pathsPath);
}

function* ingressPath(
  { path: value = '', pathType, backend: target }: networking.HTTPIngressPath,
  path: string,
): Errors {
  const valuePath = childPath(path, 'path');
  if (pathType === undefined) return yield requiredField(childPath(path, 'pathType'), 'pathType must be specified');
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!value.startsWith('/')) yield invalidField(valuePath, value, 'must be an absolute path');
    for (const part of ['//', '/./', '/../', '%2f', '%2F']) {
      if (value.includes(part)) yield invalidField(valuePath, value, `must not contain '${part}'`);
    }
    for (const end of ['/..', '/.']) {
      if (value.endsWith(end)) yield invalidField(valuePath, value, `cannot end with '${end}'`);
    }
  } else if (pathType !== 'ImplementationSpecific') {
    yield notSupportedField(childPath(path, 'pathType'), pathType, ['Exact', 'ImplementationSpecific', 'Prefix']);
  } else if (value !== '' && !value.startsWith('/')) yield invalidField(valuePath, value, 'must be an absolute path');
  yield* backend(target ?? {}, childPath(path, 'backend'));
}

const segment = requiredAnd<string>(form((value) => pathSegmentErrors(value)));

function* backend({ resource, service }: networking.IngressBackend, path: string): Errors {
  if (resource && service) return yield invalidField(path, '', 'cannot set both resource and service backends');
  if (resource) yield* typedReference(resource, childPath(path, 'resource'));
  else if (service) {
    const { name = '', number = 0 } = service.port ?? {};
    yield* requiredAnd<string>(form(dnsLabelErrors))(service.name, childPath(path, 'service.name'));
    if (name !== '' && number !== 0) yield invalidField(path, '', 'cannot set both port name & port number');
    else if (name !== '') yield* formErrors(childPath(path, 'service.port.name'), name, portNameErrors(name));
    else if (number !== 0) yield* portNumber(number, childPath(path, 'service.port.number'));
    else yield requiredField(path, 'port name or number is required');
  } else yield invalidField(path, '', 'resource or service backend is required');
}

function* typedReference(reference: core.TypedLocalObjectReference, path: string): Errors {
  if (reference.apiGroup !== undefined) yield* dnsSubdomain(reference.apiGroup, childPath(path, 'apiGroup'));
  yield* segment(reference.kind, childPath(path, 'kind'));
  yield* segment(reference.name, childPath(path, 'name'));
}

export function* ingressStatus({ status }: networking.Ingress, old: networking.Ingress): Errors {
  const before = new Set(old.status?.loadBalancer?.ingress?.map(({ ip = '' }) => ip));
  for (const [index, { ip = '', hostname = '' }] of (status?.loadBalancer?.ingress ?? []).entries()) {
    if (pauseIsDue()) yield;
    const path = keyPath('status.loadBalancer.ingress', index);
    if (ip !== '') yield* ipAddress(ip, childPath(path, 'ip'), before);
    yield* loadBalancerHost(hostname, childPath(path, 'hostname'));
  }
}

export function* ingressClass({ spec = {} }: networking.IngressClass): Errors {
  const { controller = '', parameters } = spec;
  if (controller.length > 250) yield tooLongField('spec.controller', 250);
  yield* domainPrefixedPath(controller, 'spec.controller');
  if (parameters === undefined) return;
  const path = 'spec.parameters';
  const { apiGroup, kind, name, scope, namespace } = parameters;
  if (apiGroup !== undefined) yield* dnsSubdomain(apiGroup, childPath(path, 'apiGroup'));
  for (const [field, value] of Object.entries({ kind, name })) {
    if (!isEmpty(value)) yield* segment(value, childPath(path, field));
  }
  const namespacePath = childPath(path, 'namespace');
  if (scope === undefined) yield requiredField(childPath(path, 'scope'));
  else yield* oneOf(['Cluster', 'Namespace'])(scope, childPath(path, 'scope'));
  if (scope === 'Namespace') {
    if (namespace === undefined) yield requiredField(namespacePath, "`parameters.scope` is set to 'Namespace'");
    else yield* formErrors(namespacePath, namespace, dnsLabelErrors(namespace));
  }
  if (scope === 'Cluster' && namespace !== undefined) {
    yield forbiddenField(namespacePath, "`parameters.scope` is set to 'Cluster'");
  }
  // What the type itself demands comes last.
  yield* required()(kind, childPath(path, 'kind'));
  yield* required()(name, childPath(path, 'name'));
}

export function* ingressClassUpdate(object: networking.IngressClass, old: networking.IngressClass): Errors {
  const [now, before] = [object.spec?.controller ?? '', old.spec?.controller ?? ''];
  if (now !== before) yield invalidField('spec.controller', now, immutableMessage);
  yield* ingressClass(object);
}

export function* networkPolicy({ spec = {} }: networking.NetworkPolicy, old?: networking.NetworkPolicy): Errors {
  const known = new Set(
    peersOf(old).flatMap(({ ipBlock }) => (ipBlock ? [ipBlock.cidr ?? '', ...(ipBlock.except ?? [])] : [])),
  );
  yield* labelSelector(spec.podSelector, 'spec.podSelector');
  for (const [index, { ports, from }] of (spec.ingress ?? []).entries()) {
    if (pauseIsDue()) yield;
    yield* each(policyPort)(ports, `spec.ingress[${index}].ports`);
    yield* each(policyPeer(known))(from, `spec.ingress[${index}].from`);
  }
  for (const [index, { ports, to }] of (spec.egress ?? []).entries()) {
    if (pauseIsDue()) yield;
    yield* each(policyPort)(ports, `spec.egress[${index}].ports`);
    yield* each(policyPeer(known))(to, `spec.egress[${index}].to`);
  }
  const types = spec.policyTypes ?? [];
  if (types.length > 2) yield invalidField('spec.policyTypes', types, 'may not specify more than two policyTypes');
  else yield* each<string>(oneOf(['Ingress', 'Egress']))(types, 'spec.policyTypes');
  yield* missingRanges({ spec });
}

function peersOf(policy: networking.NetworkPolicy | undefined): networking.NetworkPolicyPeer[] {
  const { ingress: incoming = [], egress = [] } = policy?.spec ?? {};
  return [...incoming.flatMap(({ from }) => from ?? []), ...egress.flatMap(({ to }) => to ?? [])];
}

function* missingRanges({ spec = {} }: networking.NetworkPolicy): Errors {
  for (const [list, member] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of (spec[list] ?? []).entries()) {
      if (pauseIsDue()) yield;
      const peers =
        member === 'from'
          ? (rule as networking.NetworkPolicyIngressRule).from
          : (rule as networking.NetworkPolicyEgressRule).to;
      for (const [number, { ipBlock }] of (peers ?? []).entries()) {
        if (pauseIsDue()) yield;
        if (ipBlock && isEmpty(ipBlock.cidr))
          yield requiredField(`spec.${list}[${index}].${member}[${number}].ipBlock.cidr`);
      }
    }
  }
}

function* policyPort({ protocol, port, endPort }: networking.NetworkPolicyPort, path: string): Errors {
  const [portPath, endPath] = [childPath(path, 'port'), childPath(path, 'endPort')];
  yield* oneOf(['TCP', 'UDP', 'SCTP'])(protocol, childPath(path, 'protocol'));
  if (typeof port === 'number') {
    yield* portNumber(port, portPath);
    if (endPort === undefined) return;
    if (endPort < port) yield invalidField(endPath, endPort, 'must be greater than or equal to `port`');
    yield* portNumber(endPort, endPath);
    return;
  }
  const missing = port === undefined ? 'not specified' : 'non-numeric';
  if (endPort !== undefined) yield invalidField(endPath, endPort, `may not be specified when \`port\` is ${missing}`);
  if (port !== undefined) yield* formErrors(portPath, port, portNameErrors(port));
}

function policyPeer(known: ReadonlySet<string>) {
  return function* ({ podSelector, namespaceSelector, ipBlock }: networking.NetworkPolicyPeer, path: string): Errors {
    yield* labelSelector(podSelector, childPath(path, 'podSelector'));
    yield* labelSelector(namespaceSelector, childPath(path, 'namespaceSelector'));
    if (ipBlock) yield* block(ipBlock, childPath(path, 'ipBlock'), known);
    if (!podSelector && !namespaceSelector && !ipBlock) yield requiredField(path, 'must specify a peer');
    if (ipBlock && (podSelector || namespaceSelector)) {
      yield forbiddenField(path, 'may not specify both ipBlock and another peer');
    }
  };
}

function* block({ cidr = '', except = [] }: networking.IPBlock, path: string, known: ReadonlySet<string>): Errors {
  if (cidr === '') return;
  yield* ipRange(cidr, childPath(path, 'cidr'), known);
  const range = parseIpRange(cidr);
  if (range === undefined) return;
  for (const [index, text] of except.entries()) {
    if (pauseIsDue()) yield;
    const exceptPath = keyPath(childPath(path, 'except'), index);
    yield* ipRange(text, exceptPath, known);
    const inner = parseIpRange(text);
    if (inner === undefined) continue;
    const bits = BigInt((range.network.family === 4 ? 32 : 128) - range.prefixLength);
    const inside =
      inner.network.family === range.network.family && inner.network.value >> bits === range.network.value >> bits;
    if (!inside || range.prefixLength >= inner.prefixLength) {
      yield invalidField(exceptPath, text, 'must be a strict subset of `cidr`');
    }
  }
}

export function* ipAddressObject({ spec = {} }: networking.IPAddress): Errors {
  const path = 'spec.parentRef';
  const { parentRef } = spec;
  if (parentRef === undefined) return yield requiredField(path);
  const { group, resource, name, namespace } = parentRef;
  if (!isEmpty(group)) yield* dnsSubdomain(group, childPath(path, 'group'));
  for (const [field, value] of Object.entries({ resource, name, namespace })) {
    if (!isEmpty(value)) yield* segment(value, childPath(path, field));
  }
  yield* required()(resource, childPath(path, 'resource'));
  yield* required()(name, childPath(path, 'name'));
}

export function* ipAddressUpdate(object: networking.IPAddress, old: networking.IPAddress): Errors {
  yield* sealedField(object.spec?.parentRef, old.spec?.parentRef, 'spec.parentRef');
}

export function* serviceCidr({ spec = {} }: networking.ServiceCIDR): Errors {
  const ranges = spec.cidrs ?? [];
  const path = 'spec.cidrs';
  if (ranges.length === 0) return yield requiredField(path, 'at least one CIDR required');
  if (ranges.length > 2) return yield invalidField(path, { CIDRs: ranges }, 'may only hold up to 2 values');
  for (const [index, range] of ranges.entries()) {
    if (pauseIsDue()) yield;
    yield* canonicalIpRange(range, keyPath(path, index));
  }
  const [first, second] = ranges.map(familyOf);
  if (ranges.length === 2 && first === second && first !== undefined) {
    const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    yield invalidField(path, ranges, detail);
  }
}

export function* serviceCidrUpdate(object: networking.ServiceCIDR, old: networking.ServiceCIDR): Errors {
  const [now, before] = [object.spec?.cidrs ?? [], old.spec?.cidrs ?? []];
  const grows = before.length === 1 && now.length === 2;
  if (now.length !== before.length && !grows) return yield invalidField('spec.cidrs', now, immutableMessage);
  for (const [index, range] of before.entries()) {
    if (pauseIsDue()) yield;
    if (range !== now[index]) yield invalidField(keyPath('spec.cidrs', index), now[index], immutableMessage);
  }
  if (grows) yield* serviceCidr(object);
}
