import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { ScalePaths } from '../../../registry/kinds/strategy.ts';

/** Where kinds that keep a number of pods running have it. */
export const replicaPaths = (): ScalePaths => paths;

const paths: ScalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
  selector: '.spec.selector',
};

/** Adds the zero replicas that the reference shows: its internal form cannot omit the field. */
export function withZeroReplicas(object: KubernetesObject): KubernetesObject {
  return { ...object, spec: { replicas: 0 } };
}
