import type { AdmissionPlugin } from '../api/admission.ts';
import { qualifiedNameErrors } from '../api/names.ts';
import type { Pod, Toleration } from '../schema/kubernetes/generated/types/core-v1.ts';

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
    for (const key of [...new Set(requested.filter(isExtended))].sort()) {
      const toleration: Toleration = { key, operator: 'Exists', effect: 'NoSchedule' };
      const given = spec.tolerations ?? [];
      spec.tolerations = given.some((other) => isSame(other, toleration))
        ? given.map((other) => (isSame(other, toleration) ? toleration : other))
        : [...given, toleration];
    }
  },
};

/** A resource with a domain prefix outside `kubernetes.io`. */
function isExtended(name: string): boolean {
  if (!name.includes('/') || name.includes('kubernetes.io/') || name.startsWith('requests.')) return false;
  return qualifiedNameErrors(`requests.${name}`).length === 0;
}

function isSame({ key, operator, effect, value = '' }: Toleration, other: Toleration): boolean {
  return key === other.key && operator === other.operator && effect === other.effect && value === '';
}
