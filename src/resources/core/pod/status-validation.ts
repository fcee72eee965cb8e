import {
  childPath,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  keyPath,
  notFoundField,
  requiredField,
  under,
} from '../../../api/errors/field-error.ts';
import { dnsLabelErrors, dnsSubdomainErrors, qualifiedNameErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { familyOf, ipAddresses, parseLooseAddress } from '../../parts/addresses/addresses.ts';
import { podAnnotationChanges, podAnnotations } from '../../parts/pod-template/annotations.ts';
import { healthConditions } from '../../parts/pod-template/volume-health.ts';
import { declaredOfField } from '../../parts/rules/declared.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { lastByName } from '../../parts/rules/repetitions.ts';
import { type Count, type Errors, formErrors, immutable, isEmpty } from '../../parts/rules/rules.ts';
import {
  allocatedResources,
  endedDebugStates,
  endedStates,
  noAllocatedResources,
  statusUsers,
  type StatusList,
} from './container-statuses.ts';

const ownConditions: readonly string[] = ['PodScheduled', 'Ready', 'Initialized'];

export function* podStatus(pod: core.Pod, old: core.Pod): Errors {
  const { spec = {}, status = {} } = pod;
  const before = old.status ?? {};
  const annotations = pod.metadata?.annotations ?? {};
  yield* podAnnotationChanges(annotations, old.metadata?.annotations ?? {}, 'metadata.annotations');
  yield* podAnnotations(annotations, spec, 'metadata.annotations');
  yield* conditions(status.conditions ?? []);
  yield* nominatedNode(status.nominatedNodeName ?? '', before.nominatedNodeName ?? '', old.spec?.nodeName ?? '');
  yield* observed(status.observedGeneration, 'status.observedGeneration');
  yield* immutable(status.qosClass ?? '', before.qosClass ?? '', 'status.qosClass');
  const list = (name: 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses'): StatusList => ({
    path: `status.${name}`,
    now: status[name] ?? [],
    old: before[name] ?? [],
    containers:
      {
        containerStatuses: spec.containers,
        initContainerStatuses: spec.initContainers,
        ephemeralContainerStatuses: [],
      }[name] ?? [],
  });
  const [main, init, debug] = [
    list('containerStatuses'),
    list('initContainerStatuses'),
    list('ephemeralContainerStatuses'),
  ];
  yield* endedStates(main, spec);
  yield* endedStates(init, spec);
  yield* endedDebugStates(debug);
  yield* claimStatuses(status.resourceClaimStatuses ?? [], spec.resourceClaims ?? []);
  yield* extendedClaim(status.extendedResourceClaimStatus, spec);
  yield* volumeHealth(status.volumeHealth ?? [], spec.volumes ?? []);
  yield* podAddresses(status, before);
  yield* hostAddresses(status, before);
  for (const statuses of [main, init, debug]) yield* statusUsers(statuses, spec.os?.name ?? 'linux');
  yield* allocatedResources(main, status);
  yield* allocatedResources(init, status);
  yield* noAllocatedResources(debug);
  yield* declaredOfField(healthOfVolumes, status, before, 'status');
}

const healthOfVolumes = { definition: 'io.k8s.api.core.v1.PodStatus', field: 'volumeHealth' } as const;

function* volumeHealth(list: readonly core.PodVolumeHealth[], volumes: readonly core.Volume[]): Errors {
  const names = new Set(volumes.map(({ name }) => name));
  for (const [index, { name = '', healthConditions: found = [] }] of list.entries()) {
    const path = keyPath('status.volumeHealth', index);
    if (name !== '' && !names.has(name)) yield notFoundField(childPath(path, 'name'), name);
    yield* healthConditions(found, childPath(path, 'healthConditions'));
  }
}

function observed(value: Count, path: string): FieldError[] {
  return (value ?? 0) < 0 ? [invalidField(path, value, 'must be a non-negative integer')] : [];
}

function* conditions(list: readonly core.PodCondition[]): Errors {
  for (const [index, { type = '', observedGeneration }] of list.entries()) {
    const path = keyPath('status.conditions', index);
    yield* observed(observedGeneration, childPath(path, 'observedGeneration'));
    if (!ownConditions.includes(type)) yield* formErrors(childPath(path, 'Type'), type, qualifiedNameErrors(type));
  }
}

function* nominatedNode(name: string, before: string, node: string): Errors {
  if (name === before || name === '') return;
  const path = 'status.nominatedNodeName';
  yield* formErrors(path, name, dnsSubdomainErrors(name));
  if (node === '') return;
  const error = forbiddenField(path, 'may not be set on pods that are already bound to a node');
  yield* under('ClearingNominatedNodeNameAfterBinding on', [error]);
}

function* claimStatuses(
  list: readonly core.PodResourceClaimStatus[],
  claims: readonly core.PodResourceClaim[],
): Errors {
  const claimNames = new Set(claims.map(({ name = '' }) => name));
  const seen = new Set<string>();
  for (const [index, { name = '', resourceClaimName }] of list.entries()) {
    const path = keyPath('status.resourceClaimStatuses', index);
    if (!claimNames.has(name)) {
      yield invalidField(childPath(path, 'name'), name, 'must match the name of an entry in `spec.resourceClaims`');
    }
    if (seen.has(name)) yield duplicateField(childPath(path, 'name'), name);
    seen.add(name);
    if (resourceClaimName === undefined) continue;
    yield* formErrors(childPath(path, 'resourceClaimName'), resourceClaimName, dnsSubdomainErrors(resourceClaimName));
  }
}

const resourceDetail =
  'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests';
const containerDetail = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';

function* extendedClaim(claim: core.PodExtendedResourceClaimStatus | undefined, spec: core.PodSpec): Errors {
  if (claim === undefined) return;
  const root = 'status.extendedResourceClaimStatus';
  const list = `${root}.requestMappings`;
  if (isEmpty(claim.requestMappings)) yield requiredField(list, 'at least one request mapping is required');
  const containers = lastByName([...(spec.initContainers ?? []), ...(spec.containers ?? [])]);
  const seen = new Set<string>();
  for (const [index, mapping] of (claim.requestMappings ?? []).entries()) {
    const { containerName = '', resourceName = '', requestName = '' } = mapping;
    const path = keyPath(list, index);
    const container = containers.get(containerName);
    if (container === undefined) yield invalidField(childPath(path, 'containerName'), containerName, containerDetail);
    else if (!Object.hasOwn(container.resources?.requests ?? {}, resourceName)) {
      yield invalidField(childPath(path, 'resourceName'), resourceName, resourceDetail);
    }
    yield* formErrors(`${root}.requestName`, requestName, dnsLabelErrors(requestName));
    const identity = JSON.stringify([containerName, resourceName, requestName]);
    if (seen.has(identity)) {
      yield duplicateField(childPath(path, 'containerName'), containerName);
      yield duplicateField(childPath(path, 'resourceName'), resourceName);
      yield duplicateField(childPath(path, 'requestName'), requestName);
    }
    seen.add(identity);
  }
  const { resourceClaimName = '' } = claim;
  const path = `${root}.resourceClaimName`;
  if (resourceClaimName === '') yield requiredField(path);
  else yield* formErrors(path, resourceClaimName, dnsSubdomainErrors(resourceClaimName));
}

/** Pod or host IPs; old values are tolerated; at most two, one of each family. */
function* addresses(list: readonly core.PodIP[], old: readonly core.PodIP[], path: string): Errors {
  const texts = list.map(({ ip = '' }) => ip);
  yield* ipAddresses(
    texts,
    path,
    old.map(({ ip = '' }) => ip),
  );
  if (texts.length < 2) return;
  const unknown = texts.findIndex((text) => parseLooseAddress(text) === undefined);
  if (unknown >= 0) {
    const detail = `failed to check for dual stack with error:invalid IP[${unknown}]: ${texts[unknown]}`;
    yield { type: 'InternalError', field: path, detail };
  }
  if (texts.length === 2 && unknown < 0 && new Set(texts.map(familyOf)).size === 2) return;
  const value = texts.map((IP) => ({ IP }));
  yield invalidField(path, value, 'may specify no more than one IP for each IP family');
}

function* podAddresses({ podIPs = [], podIP = '' }: core.PodStatus, { podIPs: old = [] }: core.PodStatus): Errors {
  yield* addresses(podIPs, old, 'status.podIPs');
  const first = podIPs[0]?.ip ?? '';
  if ((podIP === '') !== (podIPs.length === 0)) {
    const detail = 'podIP and podIPs must either both be set or both be unset';
    yield invalidField('status.podIPs', internalValue('[]core.PodIP', podIPs), detail);
  } else if (podIP !== first) yield invalidField('status.podIPs[0].ip', first, 'must be equal to `podIP`');
}

function* hostAddresses({ hostIPs = [], hostIP = '' }: core.PodStatus, { hostIPs: old = [] }: core.PodStatus): Errors {
  if (hostIPs.length === 0) return;
  const first = hostIPs[0]?.ip ?? '';
  if (hostIP !== first) yield invalidField('status.hostIPs[0].ip', first, 'must be equal to `hostIP`');
  yield* addresses(hostIPs, old, 'status.hostIPs');
}
