import type * as core from '../../schema/kubernetes/generated/types/core-v1.ts';
import { type KindValidation, kindValidation } from './kind-validation.ts';
import { validateEphemeralContainersUpdate, validatePod, validatePodUpdate } from './pods.ts';

/** What built-in kinds check, by `group/Kind`; kinds of the core group stand alone. */
export const builtInValidation: { readonly [kind: string]: KindValidation } = {
  Pod: kindValidation<core.Pod>({
    create: validatePod,
    update: validatePodUpdate,
    subresources: { ephemeralcontainers: validateEphemeralContainersUpdate },
  }),
};
