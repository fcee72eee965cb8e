import { type ClusterPolicy, type FieldError, invalidField, keyPath } from '../../../../api/errors/field-error.ts';
import { allOf } from '../../../../api/errors/findings.ts';
import { familyOf } from '../../../parts/addresses/addresses.ts';
import type { Errors } from '../../../parts/rules/rules.ts';
import { clusterAddresses } from '../validation.ts';
import {
  isHeadless,
  needsClusterIp,
  sameClusterIps,
  sameTexts,
  type Service,
  type ServiceSpec,
} from './service-needs.ts';

export type IpFamily = 'IPv4' | 'IPv6';

export function ipFamilyOf(address: string): IpFamily {
  return familyOf(address) === 6 ? 'IPv6' : 'IPv4';
}

const policyPath = 'spec.ipFamilyPolicy';

export interface FamilyRules {
  /** The families of the cluster, the default first. */
  readonly configured: readonly IpFamily[];
  /** Rules disabled by configuration. */
  readonly disabledPolicies: ReadonlySet<ClusterPolicy>;
}

/**
 * Decides `ipFamilyPolicy` and `ipFamilies` of a service by the families of the cluster.
 * Returns the errors of the request.
 */
export function settleFamilies(
  service: Service,
  old: Readonly<Service> | undefined,
  { configured, disabledPolicies }: FamilyRules,
): readonly FieldError[] {
  service.spec ??= {};
  const { spec } = service;
  const before = old?.spec;
  if (!needsClusterIp(spec) || keepsPreference(spec, before)) return [];
  const isOpen = spec.clusterIP === 'None' && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= before?.ipFamilyPolicy ?? (isOpen ? 'RequireDualStack' : 'SingleStack');
  const malformed = allOf(clusterAddresses(service, old)).filter(
    ({ clusterPolicy }) => clusterPolicy === undefined || !disabledPolicies.has(clusterPolicy),
  );
  if (malformed.length > 0) return malformed;
  const errors = [
    ...(before === undefined ? [] : dropReleased(spec, before)),
    ...tooManyForOne(spec),
    ...allOf(inferFamilies(spec, configured)),
  ];
  if (errors.length > 0) return errors;
  const unavailable = isOpen ? [] : allOf(missingFamilies(spec, configured));
  if (unavailable.length > 0) return unavailable;
  const families = (spec.ipFamilies ?? []).length > 0 ? (spec.ipFamilies ?? []) : configured.slice(0, 1);
  const both = spec.ipFamilyPolicy !== 'SingleStack' && families.length === 1 && (isOpen || configured.length === 2);
  spec.ipFamilies = both ? [...families, families[0] === 'IPv4' ? 'IPv6' : 'IPv4'] : [...families];
  return [];
}

/** A PreferDualStack service does not change families when the cluster does, only when its author changes it. */
export function keepsPreference(spec: ServiceSpec, before: ServiceSpec | undefined): boolean {
  if (before === undefined || spec.type !== before.type || !needsClusterIp(spec)) return false;
  if (spec.ipFamilyPolicy !== 'PreferDualStack' || (before.ipFamilyPolicy ?? 'PreferDualStack') !== 'PreferDualStack') {
    return false;
  }
  return sameClusterIps(spec, before) && sameTexts(spec.ipFamilies, before.ipFamilies);
}

/** SingleStack releases the second family; with other policies it must not be removed. */
function* dropReleased(spec: ServiceSpec, before: ServiceSpec): Generator<FieldError> {
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy = '' } = spec;
  if (ipFamilyPolicy === 'SingleStack') {
    if (sameClusterIps(spec, before) && clusterIPs.length > 1) spec.clusterIPs = clusterIPs.slice(0, 1);
    if (sameTexts(ipFamilies, before.ipFamilies) && ipFamilies.length > 1) spec.ipFamilies = ipFamilies.slice(0, 1);
    return;
  }
  if (clusterIPs.length > 0 && clusterIPs.length < (before.clusterIPs ?? []).length) {
    yield invalidField(policyPath, ipFamilyPolicy, "must be 'SingleStack' to release the secondary cluster IP");
  }
  if (ipFamilies.length > 0 && ipFamilies.length < (before.ipFamilies ?? []).length) {
    yield invalidField(policyPath, ipFamilyPolicy, "must be 'SingleStack' to release the secondary IP family");
  }
}

function* tooManyForOne({ clusterIPs = [], ipFamilies = [], ipFamilyPolicy = '' }: ServiceSpec): Generator<FieldError> {
  if (ipFamilyPolicy !== 'SingleStack') return;
  const need = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  if (clusterIPs.length === 2) yield invalidField(policyPath, ipFamilyPolicy, `${need} cluster IPs are specified`);
  if (ipFamilies.length === 2) yield invalidField(policyPath, ipFamilyPolicy, `${need} IP families are specified`);
}

/** Missing families follow from the addresses. */
function* inferFamilies(spec: ServiceSpec, configured: readonly IpFamily[]): Errors {
  if (isHeadless(spec)) return;
  const { clusterIPs = [], ipFamilies = [] } = spec;
  const families = [...ipFamilies];
  for (const [index, address] of clusterIPs.entries()) {
    if (index < families.length) continue;
    const family = ipFamilyOf(address);
    if (configured.includes(family)) families.push(family);
    else
      yield invalidField(keyPath('spec.clusterIPs', index), clusterIPs, `${family} is not configured on this cluster`);
  }
  if (families.length > 0) spec.ipFamilies = families;
}

function* missingFamilies(spec: ServiceSpec, configured: readonly IpFamily[]): Errors {
  if (spec.ipFamilyPolicy === 'RequireDualStack' && configured.length < 2) {
    yield invalidField(policyPath, spec.ipFamilyPolicy, 'this cluster is not configured for dual-stack services');
  }
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (configured.some((known) => known === family)) continue;
    yield invalidField(keyPath('spec.ipFamilies', index), family, 'not configured on this cluster');
  }
}
