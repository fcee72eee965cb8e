import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import type { PluginContext } from '../plugin-context.ts';

const finalizer = 'scheduling.k8s.io/podgroup-protection';

/** Groups of pods stay as long as there are pods of them. */
export function podGroupProtection({ featureGates }: Pick<PluginContext, 'featureGates'>): AdmissionPlugin {
  const isOn = featureGates.get('GenericWorkload') === true;
  return {
    name: 'PodGroupProtection',
    operations: new Set(['CREATE']),
    mutate({ group, resource, subresource, object }) {
      if (
        !isOn ||
        group !== 'scheduling.k8s.io' ||
        resource !== 'podgroups' ||
        subresource !== '' ||
        object === undefined
      )
        return;
      const { finalizers = [] } = object.metadata;
      if (!finalizers.includes(finalizer)) object.metadata.finalizers = [...finalizers, finalizer];
    },
  };
}
