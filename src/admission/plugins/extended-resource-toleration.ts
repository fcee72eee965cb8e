import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import type { Pod, Toleration } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { isExtendedResource } from '../../schema/kubernetes/resource-names.ts';

/** Pods that request an extended resource tolerate the taint of the nodes that offer it. */
export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  operations: new Set(['CREATE', 'UPDATE']),
  mutate({ group, resource, subresource, object }) {
    if (group !== '' || resource !== 'pods' || subresource !== '') return;
    // Objects are decoded by the schema of their resource.
    const { spec = {} } = object as Pod;
    const requested = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      Object.keys(resources?.requests ?? {}),
    );
    for (const key of [...new Set(requested.filter(isExtendedResource))].sort()) {
      const toleration: Toleration = { key, operator: 'Exists', effect: 'NoSchedule' };
      const given = spec.tolerations ?? [];
      spec.tolerations = given.some((other) => isSame(other, toleration))
        ? given.map((other) => (isSame(other, toleration) ? toleration : other))
        : [...given, toleration];
    }
  },
};

function isSame({ key, operator, effect, value = '' }: Toleration, other: Toleration): boolean {
  return key === other.key && operator === other.operator && effect === other.effect && value === '';
}
