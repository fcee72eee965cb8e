import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import type { Pod } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { refusal } from '../refusal.ts';

const hostname = 'kubernetes.io/hostname';

/** Required anti-affinity may use the hostname topology key only. */
export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  operations: new Set(['CREATE', 'UPDATE']),
  validate(attributes) {
    const { group, resource, subresource, object } = attributes;
    if (group !== '' || resource !== 'pods' || subresource !== '') return;
    // Objects are decoded by the schema of their resource.
    const terms = (object as Pod).spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    const other = terms?.find(({ topologyKey }) => topologyKey !== hostname);
    if (other === undefined) return;
    const field = 'affinity.PodAntiAffinity.RequiredDuringScheduling';
    throw refusal(attributes, `${field} has TopologyKey ${other.topologyKey} but only key ${hostname} is allowed`);
  },
};
