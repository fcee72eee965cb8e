import type { AdmissionPlugin } from '../api/admission.ts';
import type { Container, Pod, PodSpec } from '../schema/kubernetes/generated/types/core-v1.ts';

/** Forces every image to be pulled, so that a pod cannot use a cached image without credentials for it. */
export const alwaysPullImages: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  operations: new Set(['CREATE', 'UPDATE']),
  mutate({ group, resource, subresource, operation, object, oldObject }) {
    if (group !== '' || resource !== 'pods' || subresource !== '') return;
    // Objects are decoded by the schema of their resource.
    const { spec = {} } = object as Pod;
    if (operation === 'UPDATE' && !hasNewImage(spec, (oldObject as Pod).spec ?? {})) return;
    for (const container of containersOf(spec)) container.imagePullPolicy = 'Always';
    for (const { image } of spec.volumes ?? []) if (image !== undefined) image.pullPolicy = 'Always';
  },
};

function hasNewImage(spec: PodSpec, old: PodSpec): boolean {
  const known = new Set(containersOf(old).map(({ image }) => image));
  return containersOf(spec).some(({ image }) => !known.has(image));
}

function containersOf({
  initContainers = [],
  containers = [],
  ephemeralContainers = [],
}: PodSpec): readonly Container[] {
  return [...initContainers, ...containers, ...ephemeralContainers];
}
