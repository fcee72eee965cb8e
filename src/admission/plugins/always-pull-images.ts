import type { AdmissionAttributes, AdmissionPlugin } from '../../api/contracts/admission.ts';
import { fieldErrorText, notSupportedField } from '../../api/errors/field-error.ts';
import type { Container, Pod, PodSpec } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { joinReasons, refusal, unexplained } from '../refusal.ts';

const always = 'Always';

/** Forces every image to be pulled, so that a pod cannot use a cached image without credentials for it. */
export const alwaysPullImages: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  operations: new Set(['CREATE', 'UPDATE']),
  mutate(attributes) {
    if (!hasNewImages(attributes)) return;
    const { spec = {} } = attributes.object as Pod; // decoded by the schema of pods
    for (const { container } of containersOf(spec)) container.imagePullPolicy = always;
    for (const { image } of spec.volumes ?? []) if (image !== undefined) image.pullPolicy = always;
  },
  /** Webhooks and policies may have changed it back. */
  validate(attributes) {
    if (!hasNewImages(attributes)) return;
    const { spec = {} } = attributes.object as Pod; // decoded by the schema of pods
    const problems = policiesOf(spec).flatMap(({ path, policy = '' }) => {
      if (policy === always) return [];
      return [refusal(attributes, fieldErrorText(notSupportedField(path, policy, [always]))).message];
    });
    if (problems.length > 0) throw unexplained(joinReasons(problems));
  },
};

/** A pod that is new, or gets an image that it did not have. */
function hasNewImages({ group, resource, subresource, operation, object, oldObject }: AdmissionAttributes): boolean {
  if (group !== '' || resource !== 'pods' || subresource !== '') return false;
  if (operation !== 'UPDATE') return true;
  // Objects are decoded by the schema of their resource.
  const known = new Set(containersOf((oldObject as Pod).spec ?? {}).map(({ container }) => container.image));
  return containersOf((object as Pod).spec ?? {}).some(({ container }) => !known.has(container.image));
}

function policiesOf(spec: PodSpec): readonly { readonly path: string; readonly policy: string | undefined }[] {
  const ofContainers = containersOf(spec).map(({ path, container }) => ({
    path: `${path}.imagePullPolicy`,
    policy: container.imagePullPolicy,
  }));
  const ofVolumes = (spec.volumes ?? []).flatMap(({ image }, index) =>
    image === undefined ? [] : [{ path: `spec.volumes[${index}].image.pullPolicy`, policy: image.pullPolicy }],
  );
  return [...ofContainers, ...ofVolumes];
}

function containersOf(spec: PodSpec): readonly { readonly path: string; readonly container: Container }[] {
  const lists = { initContainers: [], containers: [], ephemeralContainers: [], ...spec };
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    lists[list].map((container, index) => ({ path: `spec.${list}[${index}]`, container })),
  );
}
