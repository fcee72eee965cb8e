import type { KubernetesObject } from '../../../api/object.ts';
import type { ScalePaths } from '../../../registry/strategy.ts';

/** Replica paths of workloads with a number of pods. */
export const replicaPaths: ScalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
  selector: '.spec.selector',
};

/** Adds the zero replicas that the reference shows: its internal form cannot omit the field. */
export function withZeroReplicas(object: KubernetesObject): KubernetesObject {
  return { ...object, spec: { replicas: 0 } };
}
