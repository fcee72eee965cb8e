import type { KubernetesObject } from '../../../api/object.ts';
import type { Deployment } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import { raiseGeneration } from '../../parts/generation.ts';
import { allBut } from '../../parts/ownable-fields.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { replicaPaths } from '../../parts/workload/replicas.ts';

export const deploymentStrategy: StrategyOf<Deployment> = {
  generation: 'spec',
  scaleIn: replicaPaths,
  prepareForUpdate(deployment, old) {
    if (!sameValue(deployment.metadata.annotations, old.metadata.annotations)) raiseGeneration(deployment, old);
  },
  subresources: { status: { prepareForUpdate: keepLabels } },
  ownableFields: { status: allBut('spec', 'metadata.labels') },
};

/** Status updates do not change labels. */
function keepLabels({ metadata }: KubernetesObject, { metadata: old }: Readonly<KubernetesObject>): void {
  if (old.labels === undefined) delete metadata.labels;
  else metadata.labels = { ...old.labels };
}
