import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../../../api/errors/field-error.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { sign } from '../../parts/amounts/quantities.ts';
import { firstByName } from '../../parts/rules/repetitions.ts';
import { type Errors, inRange, isEmpty } from '../../parts/rules/rules.ts';

/** A list of statuses, the previous list and the containers they are about. */
export interface StatusList {
  readonly path: string;
  readonly now: readonly core.ContainerStatus[];
  readonly old: readonly core.ContainerStatus[];
  readonly containers: readonly core.Container[];
}

/** A terminated container stays terminated, unless its restart policy allows a restart. */
export function* endedStates({ path, now, old, containers }: StatusList, spec: core.PodSpec): Errors {
  const all = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const allMayRestart = all.some(({ restartPolicyRules: rules = [] }) =>
    rules.some(({ action }) => action === 'RestartAllContainers'),
  );
  if (allMayRestart) return;
  const [statuses, containersByName] = [firstByName(now), firstByName(containers)];
  for (const [index, { name = '', state }] of old.entries()) {
    if (state?.terminated === undefined || !isAlive(statuses.get(name))) continue;
    const container = containersByName.get(name);
    if (container !== undefined && startsAgain(container, spec, state.terminated.exitCode ?? 0)) continue;
    yield stateError(path, index);
  }
}

/** Ephemeral containers never restart. */
export function* endedDebugStates({ path, now, old }: StatusList): Errors {
  const statuses = firstByName(now);
  for (const [index, { name = '', state }] of old.entries()) {
    if (state?.terminated !== undefined && isAlive(statuses.get(name))) yield stateError(path, index);
  }
}

function stateError(path: string, index: number): ReturnType<typeof forbiddenField> {
  return forbiddenField(childPath(keyPath(path, index), 'state'), 'may not be transitioned to non-terminated state');
}

function isAlive(status: core.ContainerStatus | undefined): boolean {
  return status !== undefined && status.state?.terminated === undefined;
}

function startsAgain(container: core.Container, spec: core.PodSpec, exitCode: number): boolean {
  if (container.restartPolicy !== undefined) {
    const rule = container.restartPolicyRules?.find(({ exitCodes }) => {
      if (exitCodes?.operator !== 'In' && exitCodes?.operator !== 'NotIn') return false;
      return (exitCodes.values ?? []).includes(exitCode) === (exitCodes.operator === 'In');
    });
    if (rule?.action === 'Restart' || rule?.action === 'RestartAllContainers') return true;
  }
  const policy = container.restartPolicy ?? spec.restartPolicy;
  return policy === 'Never' ? false : policy !== 'OnFailure' || exitCode !== 0;
}

const groupId = inRange(0, 2147483647);
const userId = inRange(0, 4294967295);

export function* statusUsers({ path, now }: StatusList, os: string): Errors {
  for (const [index, { user }] of now.entries()) {
    if (user?.linux === undefined) continue;
    const at = childPath(keyPath(path, index), 'user.linux');
    if (os === 'windows') yield forbiddenField(at, 'cannot be set for a windows pod');
    if (os !== 'linux') continue;
    yield* userId(user.linux.uid, childPath(at, 'uid'));
    yield* groupId(user.linux.gid, childPath(at, 'gid'));
    for (const [number, group] of (user.linux.supplementalGroups ?? []).entries()) {
      yield* groupId(group, keyPath(childPath(at, 'supplementalGroups'), number));
    }
  }
}

const healths: readonly string[] = ['Healthy', 'Unhealthy', 'Unknown'];
const maxMessageBytes = 1024;
const claimDetail =
  "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty";

export function* allocatedResources({ path, now, containers }: StatusList, status: core.PodStatus): Errors {
  const containersByName = firstByName(containers);
  for (const [index, { name = '', allocatedResourcesStatus = [] }] of now.entries()) {
    const container = containersByName.get(name);
    const isClaimed = container === undefined ? never : claimedBy(container, status);
    for (const [number, resource] of allocatedResourcesStatus.entries()) {
      const at = keyPath(childPath(keyPath(path, index), 'allocatedResourcesStatus'), number);
      if (container !== undefined)
        yield* allocatedName(container, resource.name ?? '', isClaimed, childPath(at, 'name'));
      yield* resourceHealths(resource.resources ?? [], childPath(at, 'resources'));
    }
  }
}

type IsClaimed = (name: string) => boolean;
const never: IsClaimed = () => false;

function* allocatedName(container: core.Container, name: string, isClaimed: IsClaimed, path: string): Errors {
  if (!name.startsWith('claim:')) {
    if (Object.hasOwn(container.resources?.requests ?? {}, name)) return;
    return yield invalidField(path, name, "must match one of the container's resource requests");
  }
  if (!isClaimed(name)) yield invalidField(path, name, claimDetail);
}

/** Recognizes the claims of a container and those for its extended resources, by the names that statuses use. */
function claimedBy(container: core.Container, { extendedResourceClaimStatus: extended }: core.PodStatus): IsClaimed {
  const claims = (container.resources?.claims ?? []).map(
    ({ name = '', request }) => `claim:${[name, request].filter(Boolean).join('/')}`,
  );
  const known = new Set(claims);
  const requests = container.resources?.requests ?? {};
  const mapped = new Set<string>();
  for (const { containerName, requestName = '', resourceName = '' } of extended?.requestMappings ?? []) {
    const amount = Object.hasOwn(requests, resourceName) ? requests[resourceName] : undefined;
    if (containerName === container.name && amount !== undefined && sign(amount) !== 0) mapped.add(requestName);
  }
  return (text) => {
    if (known.has(text)) return true;
    const [claim = '', request = ''] = text.slice('claim:'.length).split('/');
    return request !== '' && claim === extended?.resourceClaimName && mapped.has(request);
  };
}

function* resourceHealths(resources: readonly core.ResourceHealth[], path: string): Errors {
  const seen = new Set<string>();
  for (const [index, { health = '', message, resourceID = '' }] of resources.entries()) {
    const at = keyPath(path, index);
    if (!healths.includes(health)) yield notSupportedField(childPath(at, 'health'), health, healths);
    if (message === '') yield requiredField(childPath(at, 'message'), 'must be non-empty if specified');
    else if (Buffer.byteLength(message ?? '') > maxMessageBytes) {
      yield tooLongField(childPath(at, 'message'), maxMessageBytes);
    }
    if (seen.has(resourceID)) yield duplicateField(childPath(at, 'resourceID'), resourceID);
    seen.add(resourceID);
  }
}

export function* noAllocatedResources({ path, now }: StatusList): Errors {
  for (const [index, { allocatedResourcesStatus }] of now.entries()) {
    if (isEmpty(allocatedResourcesStatus)) continue;
    const at = childPath(keyPath(path, index), 'allocatedResourcesStatus');
    yield forbiddenField(at, 'must not be specified in container status');
  }
}
