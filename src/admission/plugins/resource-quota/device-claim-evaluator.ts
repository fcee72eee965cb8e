import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  subtractQuantities,
} from '../../../api/values/quantity.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { DeviceRequest, ResourceClaim } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import type { Amounts } from '../parts/pod-amounts.ts';
import { impliedPrefix } from './device-classes.ts';
import { type Evaluator, noScopes, type UsageContext } from './evaluator.ts';
import { amountsOfPod, isExtendedRequest } from './pod-evaluator.ts';

const ofClass = '.deviceclass.resource.k8s.io/devices';
const objectName = 'count/resourceclaims.resource.k8s.io';
/** What a claim of all devices may get at most. */
const mostDevices = 32n;
/** Marks claims that the scheduler has made for resources that pods ask for. */
const ofPodAnnotation = 'resource.kubernetes.io/extended-resource-claim';
const zero = parseQuantity('0');

type StoredClaim = KubernetesObject & ResourceClaim;

const claims = { group: 'resource.k8s.io', version: 'v1', plural: 'resourceclaims' };
const pods = { group: '', version: 'v1', plural: 'pods' };

export const deviceClaimEvaluator: Evaluator = {
  collection: claims,
  handles: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  counts(name, { isOn, classes }) {
    if (name === objectName || name.endsWith(ofClass)) return true;
    return isOn('DRAExtendedResource') && isExtendedRequest(name) && classes.names.has(name.slice('requests.'.length));
  },
  async usageOf(object, context) {
    const claim = object as StoredClaim; // decoded by the schema of claims
    const devices = devicesOf(claim);
    const amounts = new Map([[objectName, '1']]);
    for (const [name, count] of devices) amounts.set(name + ofClass, String(count));
    if (context.isOn('DRAExtendedResource')) {
      const charged = (await podOfClaim(claim, context)) ?? new Map<string, string>();
      for (const [name, amount] of asResources(devices, charged, context)) amounts.set(name, amount);
    }
    return { amounts, scopes: noScopes, isPassing: claim.metadata.annotations?.[ofPodAnnotation] !== undefined };
  },
};

interface Alternative {
  readonly deviceClassName?: string;
  readonly allocationMode?: string;
  readonly count?: number | bigint;
}

/** How many devices of each class a claim may get at most. */
function devicesOf({ spec }: ResourceClaim): ReadonlyMap<string, bigint> {
  const devices = new Map<string, bigint>();
  for (const request of spec?.devices?.requests ?? []) {
    for (const [name, count] of mostOf(request)) devices.set(name, (devices.get(name) ?? 0n) + count);
  }
  return devices;
}

function mostOf({ exactly, firstAvailable = [] }: DeviceRequest): ReadonlyMap<string, bigint> {
  const most = new Map<string, bigint>();
  if (firstAvailable.length === 0) {
    if (exactly !== undefined) most.set(exactly.deviceClassName ?? '', countOf(exactly));
    return most;
  }
  for (const alternative of firstAvailable) {
    const name = alternative.deviceClassName ?? '';
    const count = countOf(alternative);
    if (count > (most.get(name) ?? 0n)) most.set(name, count);
  }
  return most;
}

function countOf({ allocationMode, count = 0 }: Alternative): bigint {
  if (allocationMode === 'ExactCount') return BigInt(count);
  return allocationMode === 'All' ? mostDevices : 0n;
}

/** Devices that stand for resources count as those too, but for what the claim's pod is charged with already. */
function asResources(
  devices: ReadonlyMap<string, bigint>,
  charged: Amounts,
  { classes }: Pick<UsageContext, 'classes'>,
): Amounts {
  const amounts = new Map<string, string>();
  for (const [name, count] of devices) {
    if (name === '') continue;
    const resource = classes.resources.get(name);
    const names = [`requests.${impliedPrefix}${name}`, ...(resource === undefined ? [] : [`requests.${resource}`])];
    for (const each of names) {
      const left = subtractQuantities(parseQuantity(String(count)), parseQuantity(charged.get(each) ?? '0'));
      if (compareQuantities(left, zero) > 0) amounts.set(each, formatQuantity(addQuantities(left, zero)));
    }
  }
  return amounts;
}

/** What the pod is charged with for which the scheduler has made the claim, if it is the pod's first. */
async function podOfClaim(claim: StoredClaim, context: UsageContext): Promise<Amounts | undefined> {
  const { namespace = '', name = '' } = claim.metadata;
  const owner = ownerOf(claim);
  if (owner === undefined) return undefined;
  const pod = (await context.stored.get(pods, { namespace, name: owner.name })) as (KubernetesObject & Pod) | undefined;
  if (pod === undefined || pod.metadata.uid !== owner.uid) return undefined;
  const known = pod.status?.extendedResourceClaimStatus;
  if (known !== undefined) {
    if (known.resourceClaimName !== name) return undefined;
  } else {
    const all = (await context.stored.list(claims, namespace)) as readonly StoredClaim[];
    if (all.some((other) => ownerOf(other)?.uid === owner.uid && isBefore(other, claim))) return undefined;
  }
  return amountsOfPod(pod, context);
}

function ownerOf({ metadata }: StoredClaim): { readonly name: string; readonly uid: string } | undefined {
  if (metadata.annotations?.[ofPodAnnotation] !== 'true') return undefined;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner?.kind === 'Pod' && owner.apiVersion === 'v1' ? owner : undefined;
}

/** Times of one form and names are in the order of their bytes. */
function isBefore({ metadata: a }: StoredClaim, { metadata: b }: StoredClaim): boolean {
  const [mine = '', theirs = ''] = [a.creationTimestamp, b.creationTimestamp];
  return mine === theirs ? (a.name ?? '') < (b.name ?? '') : mine < theirs;
}
