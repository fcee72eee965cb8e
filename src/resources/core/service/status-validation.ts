import {
  childPath,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
} from '../../../api/errors/field-error.ts';
import { dnsSubdomainErrors } from '../../../api/meta/names.ts';
import { familyOf, ipAddress } from '../../parts/addresses/addresses.ts';
import { type Errors, formErrors } from '../../parts/rules/rules.ts';
import type { Service } from './validation.ts';

/** Load balancer addresses of a service. */
export function* validateServiceStatus({ spec, status }: Service, old: Service): Errors {
  const path = 'status.loadBalancer.ingress';
  const ingress = status?.loadBalancer?.ingress ?? [];
  if (spec?.type !== 'LoadBalancer' && ingress.length > 0) {
    return yield forbiddenField(path, "may only be used when `spec.type` is 'LoadBalancer'");
  }
  const before = new Set(old.status?.loadBalancer?.ingress?.map(({ ip = '' }) => ip));
  for (const [index, { ip = '', ipMode, hostname = '' }] of ingress.entries()) {
    const itemPath = keyPath(path, index);
    const modePath = childPath(itemPath, 'ipMode');
    if (ip !== '') yield* ipAddress(ip, childPath(itemPath, 'ip'), before);
    if (ipMode === undefined) {
      if (ip !== '') yield requiredField(modePath, 'must be specified when `ip` is set');
    } else if (ip === '') yield forbiddenField(modePath, 'may not be specified when `ip` is not set');
    else if (ipMode !== 'VIP' && ipMode !== 'Proxy') yield notSupportedField(modePath, ipMode, ['Proxy', 'VIP']);
    yield* loadBalancerHost(hostname, childPath(itemPath, 'hostname'));
  }
}

export function* loadBalancerHost(hostname: string, path: string): Errors {
  if (hostname === '') return;
  yield* formErrors(path, hostname, dnsSubdomainErrors(hostname));
  if (familyOf(hostname) !== undefined) yield invalidField(path, hostname, 'must be a DNS name, not an IP address');
}
