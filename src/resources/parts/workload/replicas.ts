import type { KubernetesObject } from '../../../api/object.ts';
import type { ScalePaths } from '../../../registry/strategy.ts';

/** Where kinds that keep a number of pods running have it. */
export const replicaPaths = (): ScalePaths => paths;

const paths: ScalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
  selector: '.spec.selector',
};

/** The object with the number that the reference shows where none has been said: its internal form has no way to leave it out. */
export function withZeroReplicas(object: KubernetesObject): KubernetesObject {
  return { ...object, spec: { replicas: 0 } };
}
