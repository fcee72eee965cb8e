import { type IpFamily, ipFamilyOf } from './ip-families.ts';
import { linkClusterIps } from './linked-fields.ts';
import { isHeadless, needsClusterIp, type ServiceSpec } from './service-needs.ts';

/** Services were stored with one address, and without the families of their addresses. `primary` is the first family of the cluster. */
export function completeAddresses(spec: ServiceSpec, primary: IpFamily): void {
  linkClusterIps(spec, undefined);
  // Nobody had a use for it.
  if (spec.type === 'ExternalName') delete spec.internalTrafficPolicy;
  if (!needsClusterIp(spec) || (spec.ipFamilies ?? []).length > 0) return;
  const hasSelector = Object.keys(spec.selector ?? {}).length > 0;
  if (isHeadless(spec)) {
    // Nobody knows what endpoints one without a selector has.
    spec.ipFamilies = hasSelector ? [primary] : [primary, primary === 'IPv4' ? 'IPv6' : 'IPv4'];
  } else {
    spec.ipFamilies = (spec.clusterIPs ?? []).map(ipFamilyOf);
  }
  const { length } = spec.ipFamilies;
  if (length > 0) spec.ipFamilyPolicy = length === 1 ? 'SingleStack' : 'RequireDualStack';
}
