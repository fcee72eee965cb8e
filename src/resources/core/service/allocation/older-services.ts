import { type IpFamily, ipFamilyOf } from './ip-families.ts';
import { linkClusterIps } from './linked-fields.ts';
import { isHeadless, needsClusterIp, type ServiceSpec } from './service-needs.ts';

/**
 * Older releases stored services with a single address and no families. `primary` is the first family of the cluster.
 */
export function completeAddresses(spec: ServiceSpec, primary: IpFamily): void {
  linkClusterIps(spec, undefined);
  // It had no effect.
  if (spec.type === 'ExternalName') delete spec.internalTrafficPolicy;
  if (!needsClusterIp(spec) || (spec.ipFamilies ?? []).length > 0) return;
  const hasSelector = Object.keys(spec.selector ?? {}).length > 0;
  if (isHeadless(spec)) {
    // Without a selector the endpoints may be of either family.
    spec.ipFamilies = hasSelector ? [primary] : [primary, primary === 'IPv4' ? 'IPv6' : 'IPv4'];
  } else {
    spec.ipFamilies = (spec.clusterIPs ?? []).map(ipFamilyOf);
  }
  const { length } = spec.ipFamilies;
  if (length > 0) spec.ipFamilyPolicy = length === 1 ? 'SingleStack' : 'RequireDualStack';
}
