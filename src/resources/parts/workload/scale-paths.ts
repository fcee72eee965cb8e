import type { ScalePaths } from '../../../registry/strategy.ts';

/** Where kinds that keep a number of pods running have it. */
export const replicaPaths: ScalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
  selector: '.spec.selector',
};
