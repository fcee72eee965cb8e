import type { AdmissionPlugin } from '../api/admission.ts';
import type { Pod, Toleration } from '../schema/kubernetes/generated/types/core-v1.ts';

const keys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const seconds = 300;

/** Pods stay for a while on a node that is lost, unless they say how long. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  operations: new Set(['CREATE', 'UPDATE']),
  mutate({ group, resource, subresource, object }) {
    if (group !== '' || resource !== 'pods' || subresource !== '' || object === undefined) return;
    // Objects are decoded by the schema of their resource.
    const pod = object as Pod;
    const tolerations = pod.spec?.tolerations ?? [];
    const missing = keys.filter((key) => !tolerations.some((toleration) => tolerates(toleration, key)));
    if (missing.length === 0) return;
    const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds }));
    pod.spec = { ...pod.spec, tolerations: [...tolerations, ...added] };
  },
};

function tolerates({ key = '', effect = '' }: Toleration, wanted: string): boolean {
  return (key === '' || key === wanted) && (effect === '' || effect === 'NoExecute');
}
