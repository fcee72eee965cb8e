import type { Admission, AdmissionAttributes, AdmissionPlugin } from '../api/admission.ts';

/** Asks the plugins one after the other; the first refusal ends it. */
export function admissionChain(plugins: readonly AdmissionPlugin[]): Admission {
  return {
    async mutate(attributes: AdmissionAttributes): Promise<void> {
      for (const plugin of plugins) {
        if (plugin.operations.has(attributes.operation)) await plugin.mutate?.(attributes);
      }
    },
    async validate(attributes: AdmissionAttributes): Promise<void> {
      for (const plugin of plugins) {
        if (plugin.operations.has(attributes.operation)) await plugin.validate?.(attributes);
      }
    },
  };
}
