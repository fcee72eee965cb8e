import {
  childPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../../api/errors/field-error.ts';
import type * as apps from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { atMost100Percent, intOrPercent, numberOf } from '../../parts/rules/counts.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { type Errors, nonNegative } from '../../parts/rules/rules.ts';
import { aboveReplicas, availableReady, replicaTemplate, statusOf } from '../../parts/workload/validation.ts';
import { rollbackTo } from './strategy.ts';

export function* deployment(object: apps.Deployment): Errors {
  const { spec = {} } = object;
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* replicaTemplate(spec, 'deployment', 'invalid label selector');
  yield* deploymentStrategy(spec.strategy ?? {}, 'spec.strategy');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit');
  yield* nonNegative(rollbackTo.valueIn(object), 'spec.rollback.version');
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec;
  if (deadline === undefined) return;
  yield* nonNegative(deadline, 'spec.progressDeadlineSeconds');
  if (deadline <= minReadySeconds) {
    yield invalidField('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds');
  }
}

function* deploymentStrategy(strategy: apps.DeploymentStrategy, path: string): Errors {
  const { type = '', rollingUpdate } = strategy;
  const updatePath = childPath(path, 'rollingUpdate');
  if (type === 'Recreate') {
    if (rollingUpdate) yield forbiddenField(updatePath, "may not be specified when strategy `type` is 'Recreate'");
  } else if (type !== 'RollingUpdate') {
    yield notSupportedField(path, internalValue('apps.DeploymentStrategy', strategy), ['Recreate', 'RollingUpdate']);
  } else if (rollingUpdate === undefined) {
    yield requiredField(updatePath, 'this should be defaulted and never be nil');
  } else {
    const { maxUnavailable, maxSurge } = rollingUpdate;
    const unavailablePath = childPath(updatePath, 'maxUnavailable');
    yield* intOrPercent(maxUnavailable, unavailablePath);
    yield* intOrPercent(maxSurge, childPath(updatePath, 'maxSurge'));
    if (numberOf(maxUnavailable) === 0 && numberOf(maxSurge) === 0) {
      yield invalidField(unavailablePath, maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0');
    }
    yield* atMost100Percent(maxUnavailable, unavailablePath);
  }
}

export const deploymentStatus = statusOf({
  counters: [
    'observedGeneration',
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
    'unavailableReplicas',
    'terminatingReplicas',
    'collisionCount',
  ],
  bounds: [...['updatedReplicas', 'readyReplicas', 'availableReplicas'].map(aboveReplicas), availableReady],
});
