import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import type { Node } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { setInSpec } from './parts/set-in-spec.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Taints new nodes as not ready, to keep pods off until they are. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  operations: new Set(['CREATE']),
  mutate({ group, resource, subresource, object }) {
    if (group !== '' || resource !== 'nodes' || subresource !== '' || object === undefined) return;
    // Objects are decoded by the schema of their resource.
    const node = object as Node;
    const taints = node.spec?.taints ?? [];
    if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) return;
    setInSpec(node, { taints: [...taints, { ...notReady }] });
  },
};
