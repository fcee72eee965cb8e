import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import type { Pod, Toleration } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { PluginContext } from '../plugin-context.ts';
import { setInSpec } from './parts/set-in-spec.ts';

/** Limits how long pods stay on a lost node, unless they set their own limit. */
export function defaultTolerationSeconds({
  tolerationSeconds,
}: Pick<PluginContext, 'tolerationSeconds'>): AdmissionPlugin {
  const defaults = [
    { key: 'node.kubernetes.io/not-ready', seconds: tolerationSeconds.notReady },
    { key: 'node.kubernetes.io/unreachable', seconds: tolerationSeconds.unreachable },
  ].map(({ key, seconds }) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds }));
  return {
    name: 'DefaultTolerationSeconds',
    operations: new Set(['CREATE', 'UPDATE']),
    mutate({ group, resource, subresource, object }) {
      if (group !== '' || resource !== 'pods' || subresource !== '' || object === undefined) return;
      // Objects are decoded by the schema of their resource.
      const pod = object as Pod;
      const tolerations = pod.spec?.tolerations ?? [];
      const missing = defaults.filter(({ key }) => !tolerations.some((toleration) => tolerates(toleration, key)));
      if (missing.length > 0) setInSpec(pod, { tolerations: [...tolerations, ...missing.map(copy)] });
    },
  };
}

function copy(toleration: Toleration): Toleration {
  return { ...toleration };
}

function tolerates({ key = '', effect = '' }: Toleration, wanted: string): boolean {
  return (key === '' || key === wanted) && (effect === '' || effect === 'NoExecute');
}
