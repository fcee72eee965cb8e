import { isDeepStrictEqual } from 'node:util';
import { compareQuantities, parseQuantity } from '../../../api/values/quantity.ts';
import type { Container, Pod, ResourceRequirements } from '../../../schema/kubernetes/generated/types/core-v1.ts';

type PodSpec = Readonly<NonNullable<Pod['spec']>>;

/** A feature that a node must have declared for an update of its pods. */
interface UpdateFeature {
  readonly name: string;
  readonly isNeeded: (old: PodSpec, now: PodSpec) => boolean;
}

const updateFeatures: readonly UpdateFeature[] = [
  {
    name: 'InPlacePodLevelResourcesVerticalScaling',
    isNeeded: (old, now) => !sameResources(old.resources, now.resources),
  },
  {
    name: 'InPlacePodVerticalScalingInitContainers',
    isNeeded: ({ initContainers: old = [] }, { initContainers: now = [] }) =>
      old.some(
        (container, index) => !isSidecar(container) && !isDeepStrictEqual(container.resources, now[index]?.resources),
      ),
  },
  { name: 'InPlacePodVerticalScalingMemoryBackedVolumes', isNeeded: resizesMemoryVolume },
];

/** Names of the features that an update needs. */
export function featuresNeeded(old: PodSpec, now: PodSpec): readonly string[] {
  return updateFeatures.filter(({ isNeeded }) => isNeeded(old, now)).map(({ name }) => name);
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

/** What validation refuses (other volumes, another medium) needs nothing of a node. */
function resizesMemoryVolume({ volumes: old = [] }: PodSpec, { volumes: now = [] }: PodSpec): boolean {
  if (old.length !== now.length) return false;
  return now.some(({ name, emptyDir }, index) => {
    const before = old[index];
    const [size, sizeBefore] = [emptyDir?.sizeLimit, before?.emptyDir?.sizeLimit];
    if (name !== before?.name || emptyDir?.medium !== 'Memory') return false;
    return size !== undefined && sizeBefore !== undefined && !sameQuantity(size, sizeBefore);
  });
}

function sameResources(old: ResourceRequirements | undefined, now: ResourceRequirements | undefined): boolean {
  if (old === undefined || now === undefined) return old === now;
  const { limits: oldLimits, requests: oldRequests, ...oldRest } = old;
  const { limits, requests, ...rest } = now;
  return sameAmounts(oldLimits, limits) && sameAmounts(oldRequests, requests) && isDeepStrictEqual(oldRest, rest);
}

type Amounts = { readonly [resource: string]: string };

function sameAmounts(old: Amounts = {}, now: Amounts = {}): boolean {
  const names = Object.keys(old);
  if (names.length !== Object.keys(now).length) return false;
  return names.every((name) => Object.hasOwn(now, name) && sameQuantity(old[name] ?? '', now[name] ?? ''));
}

function sameQuantity(a: string, b: string): boolean {
  return compareQuantities(parseQuantity(a), parseQuantity(b)) === 0;
}
