import { systemClock } from '../../api/clock.ts';
import type { JsonValue } from '../../api/json.ts';
import type { Defaulters } from '../../schema/defaulters.ts';
import type { CustomResourceDefinition } from '../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import type { IngressClass, NetworkPolicy } from '../../schema/kubernetes/generated/types/networking-v1.ts';
import type { RoleBinding, Subject } from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import type { DeviceSubRequest } from '../../schema/kubernetes/generated/types/resource-v1.ts';
import { formatSeconds } from '../../registry/metadata.ts';
import { type DefaulterRow, fill, fixed, typed } from './fill.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

const webhook: { readonly [field: string]: JsonValue } = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

const matchResources = fixed({ matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} });

const roleBinding = typed<RoleBinding>((binding) => {
  binding.roleRef = { ...binding.roleRef, apiGroup: binding.roleRef?.apiGroup ?? rbacGroup };
});

const deviceRequest = typed<DeviceSubRequest>((request) => {
  request.allocationMode ??= 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ??= 1;
});

const deviceTaint: DefaulterRow = (taint) => fill(taint, { timeAdded: formatSeconds(systemClock.now()) });

/** The same row for every version of a type that has it. */
function versions(
  prefix: string,
  names: readonly string[],
  rows: { readonly [type: string]: DefaulterRow },
): Defaulters {
  return Object.fromEntries(
    names.flatMap((version) =>
      Object.entries(rows).map(([type, row]) => [`${prefix}.${version}.${type}`, row] as const),
    ),
  );
}

/** Defaults of everything that configures a cluster. */
export const clusterDefaults: Defaulters = {
  ...versions('io.k8s.api.admissionregistration', ['v1', 'v1beta1', 'v1alpha1'], {
    MatchResources: matchResources,
    MutatingAdmissionPolicySpec: fixed({ failurePolicy: 'Fail' }),
    MutatingWebhook: fixed({ ...webhook, reinvocationPolicy: 'Never' }),
    RuleWithOperations: fixed({ scope: '*' }),
    NamedRuleWithOperations: fixed({ scope: '*' }),
    ServiceReference: fixed({ port: 443 }),
    ValidatingAdmissionPolicySpec: fixed({ failurePolicy: 'Fail' }),
    ValidatingWebhook: fixed(webhook),
  }),
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition': typed(defaultDefinition),
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference': fixed({ port: 443 }),
  'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference': fixed({ port: 443 }),
  'io.k8s.api.discovery.v1.EndpointPort': fixed({ name: '', protocol: 'TCP' }),
  'io.k8s.api.flowcontrol.v1.ExemptPriorityLevelConfiguration': fixed({
    nominalConcurrencyShares: 0,
    lendablePercent: 0,
  }),
  'io.k8s.api.flowcontrol.v1.FlowSchemaSpec': fixed({ matchingPrecedence: 1000 }),
  'io.k8s.api.flowcontrol.v1.LimitedPriorityLevelConfiguration': fixed({
    nominalConcurrencyShares: 30,
    lendablePercent: 0,
  }),
  'io.k8s.api.flowcontrol.v1.QueuingConfiguration': fixed({ handSize: 8, queues: 64, queueLengthLimit: 50 }),
  'io.k8s.api.networking.v1.IngressClass': typed<IngressClass>((ingressClass) => {
    const parameters = ingressClass.spec?.parameters;
    if (parameters !== undefined) parameters.scope ??= 'Cluster';
  }),
  'io.k8s.api.networking.v1.NetworkPolicy': typed<NetworkPolicy>((policy) => {
    policy.spec ??= {};
    const { egress = [] } = policy.spec;
    policy.spec.policyTypes ??= egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  }),
  'io.k8s.api.networking.v1.NetworkPolicyPort': fixed({ protocol: 'TCP' }),
  'io.k8s.api.rbac.v1.ClusterRoleBinding': roleBinding,
  'io.k8s.api.rbac.v1.RoleBinding': roleBinding,
  'io.k8s.api.rbac.v1.Subject': typed<Subject>((subject) => {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ??= rbacGroup;
  }),
  ...versions('io.k8s.api.resource', ['v1', 'v1beta1', 'v1beta2', 'v1alpha3'], {
    DeviceSubRequest: deviceRequest,
    DeviceTaint: deviceTaint,
    ExactDeviceRequest: deviceRequest,
  }),
  ...versions('io.k8s.api.scheduling', ['v1'], { PriorityClass: fixed({ preemptionPolicy: 'PreemptLowerPriority' }) }),
  'io.k8s.api.storage.v1.CSIDriverSpec': fixed({
    attachRequired: true,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    podInfoOnMount: false,
    preventPodSchedulingIfMissing: false,
    requiresRepublish: false,
    seLinuxMount: false,
    storageCapacity: false,
    volumeLifecycleModes: ['Persistent'],
  }),
  'io.k8s.api.storage.v1.StorageClass': fixed({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
};

function defaultDefinition(definition: CustomResourceDefinition): void {
  definition.spec ??= {};
  const { spec } = definition;
  const names = { ...spec.names };
  if (names.kind !== undefined) {
    names.singular ??= names.kind.toLowerCase();
    names.listKind ??= `${names.kind}List`;
  }
  spec.names = names;
  spec.conversion ??= { strategy: 'None' };
  const stored = spec.versions?.find(({ storage }) => storage === true);
  if (stored !== undefined && (definition.status?.storedVersions ?? []).length === 0) {
    definition.status = { ...definition.status, storedVersions: [stored.name ?? ''] };
  }
}
