import { childPath, invalidField, keyPath, notSupportedField, requiredField } from '../../../api/errors/field-error.ts';
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  pathSegmentErrors,
  portNameErrors,
  wildcardSubdomainErrors,
} from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type * as networking from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { loadBalancerHost } from '../../core/service/status-validation.ts';
import { familyOf, ipAddress } from '../../parts/addresses/addresses.ts';
import {
  dnsSubdomain,
  each,
  type Errors,
  form,
  formErrors,
  isEmpty,
  portNumber,
  required,
  requiredAnd,
} from '../../parts/rules/rules.ts';

const hostForm = (host: string) => (host.includes('*') ? wildcardSubdomainErrors(host) : dnsSubdomainErrors(host));

export function* ingress({ spec = {} }: networking.Ingress): Errors {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec;
  if (rules.length === 0 && !defaultBackend) {
    yield invalidField('spec', null, 'either `defaultBackend` or `rules` must be specified');
  }
  if (defaultBackend) yield* backend(defaultBackend, 'spec.defaultBackend');
  for (const [index, rule] of rules.entries()) {
    yield* ingressRule(rule, keyPath('spec.rules', index));
  }
  for (const [index, { hosts, secretName }] of tls.entries()) {
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

export const segment = requiredAnd<string>(form((value) => pathSegmentErrors(value)));

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
    const path = keyPath('status.loadBalancer.ingress', index);
    if (ip !== '') yield* ipAddress(ip, childPath(path, 'ip'), before);
    yield* loadBalancerHost(hostname, childPath(path, 'hostname'));
  }
}
