import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { Deployment } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import { raiseGeneration } from '../../parts/generation.ts';
import { allBut } from '../../parts/ownable-fields.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { AnnotatedInteger } from '../../parts/workload/annotated-integer.ts';
import { replicaPaths } from '../../parts/workload/replicas.ts';

const rollbackAnnotation = 'deprecated.deployment.rollback.to';

/** The revision to roll back to, for controllers that predate the removal of rollbacks. */
export const rollbackTo = new AnnotatedInteger(rollbackAnnotation, {
  failure: (text) => `failed to parse annotation[${rollbackAnnotation}]=${text} as int64: `,
});

export const deploymentStrategy: StrategyOf<Deployment> = {
  generation: 'spec',
  unconvertible: (deployment) => rollbackTo.problem(deployment),
  normalize: (deployment) => rollbackTo.normalize(deployment),
  scaleIn: replicaPaths,
  prepareForUpdate(deployment, old) {
    if (!sameValue(deployment.metadata.annotations, old.metadata.annotations)) raiseGeneration(deployment, old);
  },
  subresources: {
    status: {
      prepareForUpdate(deployment, old) {
        keepLabels(deployment, old);
        rollbackTo.keep(deployment, old);
      },
    },
  },
  ownableFields: { status: allBut('spec', 'metadata.labels') },
};

/** Status updates do not change labels. */
function keepLabels({ metadata }: KubernetesObject, { metadata: old }: Readonly<KubernetesObject>): void {
  if (old.labels === undefined) delete metadata.labels;
  else metadata.labels = { ...old.labels };
}
