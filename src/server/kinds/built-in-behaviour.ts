import { nameRules } from '../../api/meta/names.ts';
import type { DelayedWrites } from '../../api/scheduling/delayed-writes.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import type { ClusterPolicy } from '../../api/errors/field-error.ts';
import type { EscalationGuard } from '../../authorization/rbac/escalation.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import { type RuleTimes, ruleTimes } from '../../cel/rules/rule-times.ts';
import { withSignedStatus } from '../../authorization/certificate-requests/signed-status.ts';
import {
  type NamespaceOf,
  withAdminAccess,
  withAdminAccessOfClaims,
} from '../../authorization/device-claims/admin-access.ts';
import { withGuardedStatus } from '../../authorization/device-claims/guarded-status.ts';
import { guardedPolicies } from '../../authorization/policy-parameters/guarded-policies.ts';
import type { ResourceOfKind } from '../../authorization/policy-parameters/param-permission.ts';
import { guardedStrategies } from '../../authorization/rbac/escalation-strategies.ts';
import type { BuiltInKindsOptions } from '../../catalogue/built-in-kinds.ts';
import { behaviourOf } from '../../catalogue/kind-behaviour.ts';
import type { Strategy } from '../../registry/kinds/strategy.ts';
import { policiesAs } from '../../resources/admissionregistration/policy-expressions.ts';
import { webhooksAs } from '../../resources/admissionregistration/webhooks.ts';
import { judgedAs } from '../../resources/apiextensions/custom-resource-definition/strategy.ts';
import { withDurationCounts } from '../../resources/certificates/certificate-signing-request/duration-counts.ts';
import { withVolumeResizes } from '../../resources/core/pod/volume-resizes.ts';
import {
  serviceAllocation,
  type ServiceAllocationOptions,
} from '../../resources/core/service/allocation/service-allocation.ts';
import { withoutGatedFields } from '../../resources/gated-fields.ts';
import { claimsAs, claimTemplatesAs, deviceClassesAs } from '../../resources/resource/device-expressions.ts';
import { jobsAs } from '../../resources/batch/job/strategy.ts';
import { podsAs } from '../../resources/core/pod/strategy.ts';
import { builtInKind } from '../../resources/kind-table.ts';
import { withoutPolicies } from '../../resources/lifted-policies.ts';
import { defaultersOf } from '../../resources/gated-defaults.ts';
import { fieldsOff } from '../../schema/kubernetes/gated-fields.ts';

/** Configuration that affects the rules of kinds. */
export interface BehaviourOptions {
  readonly services: Omit<ServiceAllocationOptions, 'lifted'>;
  readonly lifted: ReadonlySet<ClusterPolicy>;
  /** State of every gate. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** The emulated release. */
  readonly release: string;
  /** Prevents writers of roles and bindings from escalating their own rights. */
  readonly escalation: () => EscalationGuard;
  readonly stored: () => StoredObjects;
  readonly resourceOfKind: ResourceOfKind;
  readonly measure: PartContext['measure'];
  /** Writes pending charges before quotas are read. */
  readonly delayed: DelayedWrites;
}

/** Existing names of services stay valid. */
const strictNames = { nameRule: nameRules.dns1035Label, knownNameRule: nameRules.dnsLabel };

const withoutGeneration = ['autoscaling/HorizontalPodAutoscaler', { generation: 'none' }] as const;

/** Kinds that depend on gates, or have expressions, which must be understood by the previous release. */
export const ofRelease: {
  readonly [kind: string]: (release: string, gates: ReadonlyMap<string, boolean>, times?: RuleTimes) => object;
} = {
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': policiesAs,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhooksAs,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': policiesAs,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhooksAs,
  '/Pod': podsAs,
  'apiextensions.k8s.io/CustomResourceDefinition': (release, _gates, times) => judgedAs(release, times),
  'batch/Job': jobsAs,
  'resource.k8s.io/DeviceClass': deviceClassesAs,
  'resource.k8s.io/ResourceClaim': claimsAs,
  'resource.k8s.io/ResourceClaimTemplate': claimTemplatesAs,
};

/** The behaviour of built-in kinds beyond their schemas. */
export function builtInBehaviour({
  services,
  lifted,
  featureGates,
  release,
  escalation,
  stored,
  resourceOfKind,
  measure,
  delayed,
}: BehaviourOptions): BuiltInKindsOptions['behaviourOf'] {
  const off = fieldsOff(featureGates);
  const times = ruleTimes(measure);
  // Objects of a kind are decoded by its schema, so they have its type.
  const allocation = serviceAllocation({ ...services, lifted }) as unknown as Strategy;
  const relaxedNames = featureGates.get('RelaxedServiceNameValidation') ?? true;
  const ofServices = relaxedNames ? allocation : { ...allocation, ...strictNames };
  const configured: ReadonlyMap<string, Partial<Strategy>> = new Map<string, Partial<Strategy>>([
    ...guardedStrategies(escalation),
    ['/Service', ofServices],
    ...(featureGates.get('HPAGeneration') === false ? [withoutGeneration] : []),
    ['/ResourceQuota', { beforeRead: () => delayed.flush() }],
    // As above.
    ...Object.entries(ofRelease).map(
      ([kind, of]) => [kind, of(release, featureGates, times) as Partial<Strategy>] as const,
    ),
  ]);
  const resizesVolumes = featureGates.get('InPlacePodVerticalScalingMemoryBackedVolumes') === true;
  const policies = guardedPolicies({ stored, resourceOfKind });
  const wrappers: { readonly [kind: string]: (strategy: Strategy) => Strategy } = {
    ...Object.fromEntries(
      [...policies].map(([kind, permissions]) => [kind, (plain) => ({ ...plain, ...permissions })]),
    ),
    ...claimWrappers(featureGates, stored),
    'certificates.k8s.io/PodCertificateRequest': withSignedStatus,
    ...(resizesVolumes ? { '/Pod': withVolumeResizes } : {}),
    'certificates.k8s.io/CertificateSigningRequest': (strategy) => withDurationCounts(strategy, { measure }),
  };
  return ({ group, kind }) => {
    const definition = builtInKind(group, kind);
    const more = configured.get(`${group}/${kind}`);
    const plain = more === undefined ? definition.strategy : { ...definition.strategy, ...more };
    const wrap = wrappers[`${group}/${kind}`];
    const strategy = wrap === undefined ? plain : wrap(plain);
    return {
      ...behaviourOf(definition),
      defaulters: defaultersOf(definition, featureGates),
      strategyOf: ({ schema }) => withoutGatedFields(withoutPolicies(strategy, lifted), schema, off),
      tableOf: (printed) => builtInKind(printed.group, printed.kind).table(),
    };
  };
}

/** What device claims need beyond the right to write them. */
function claimWrappers(
  featureGates: ReadonlyMap<string, boolean>,
  stored: () => StoredObjects,
): { readonly [kind: string]: (strategy: Strategy) => Strategy } {
  const namespaces = { group: '', version: 'v1', plural: 'namespaces' };
  const namespaceOf: NamespaceOf = (name) => stored().get(namespaces, { namespace: '', name });
  const guardsStatus = featureGates.get('DRAResourceClaimGranularStatusAuthorization') === true;
  return {
    'resource.k8s.io/ResourceClaim': (strategy) =>
      withAdminAccess(guardsStatus ? withGuardedStatus(strategy) : strategy, namespaceOf),
    'resource.k8s.io/ResourceClaimTemplate': (strategy) => withAdminAccessOfClaims(strategy, namespaceOf),
  };
}
