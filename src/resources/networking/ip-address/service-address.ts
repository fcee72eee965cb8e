import { parseIpAddress } from '../../../api/values/ip-address.ts';
import type { KubernetesObject, ObjectMeta } from '../../../api/meta/object.ts';
import type { IPAddress, IPAddressSpec } from '../../../schema/kubernetes/generated/types/networking-v1.ts';

const familyLabel = 'ipaddress.kubernetes.io/ip-family';
export const managerLabel = 'ipaddress.kubernetes.io/managed-by';
/** The managed-by label value of service addresses. */
export const addressManager = 'ipallocator.k8s.io';

/** The IPAddress that allocates an address to a service. */
export function newIpAddress(
  address: string,
  { namespace = '', name = '' }: Pick<ObjectMeta, 'namespace' | 'name'>,
): KubernetesObject & IPAddress {
  return {
    kind: 'IPAddress',
    apiVersion: 'networking.k8s.io/v1',
    metadata: { name: address, labels: addressLabels(address) },
    spec: { parentRef: { resource: 'services', namespace, name } },
  };
}

export function addressLabels(address: string): Readonly<Record<string, string>> {
  const family = parseIpAddress(address)?.family === 6 ? 'IPv6' : 'IPv4';
  return { [familyLabel]: family, [managerLabel]: addressManager };
}

/** The owner of an address: `/services/default/web`. */
export function parentOf(spec: IPAddressSpec | undefined): string {
  const { group = '', resource = '', namespace = '', name = '' } = spec?.parentRef ?? {};
  return [group, resource, namespace, name].join('/');
}
