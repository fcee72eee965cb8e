import { type IpRange, parseIpAddress, parseIpRange, rangeHasHost, rangeIncludes } from '../api/values/ip-address.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { ServiceCIDR } from '../schema/kubernetes/generated/types/networking-v1.ts';

export type StoredCidr = KubernetesObject & ServiceCIDR;

/** Manager of service addresses, in the label of an IPAddress. */
const managerLabel = 'ipaddress.kubernetes.io/managed-by';
const serviceManager = 'ipallocator.k8s.io';

/** The ServiceCIDR is needed: some of its addresses in use are in no other range. */
export function isNeeded(
  cidr: StoredCidr,
  { cidrs, addresses }: { readonly cidrs: readonly StoredCidr[]; readonly addresses: readonly KubernetesObject[] },
): boolean {
  const others = cidrs.filter(({ metadata }) => metadata.name !== cidr.metadata.name).flatMap(rangesOf);
  const own = rangesOf(cidr);
  if (own.every((range) => others.some((other) => rangeIncludes(other, range)))) return false;
  return addresses.some(({ metadata: { name = '', labels } }) => {
    const address = labels?.[managerLabel] === serviceManager ? parseIpAddress(name) : undefined;
    if (address === undefined || !own.some((range) => rangeHasHost(range, address))) return false;
    return !others.some((range) => rangeHasHost(range, address));
  });
}

function rangesOf({ spec }: StoredCidr): IpRange[] {
  return (spec?.cidrs ?? []).flatMap((text) => parseIpRange(text) ?? []);
}
