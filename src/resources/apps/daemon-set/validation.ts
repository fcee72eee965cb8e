import { childPath, invalidField, notSupportedField, requiredField } from '../../../api/errors/field-error.ts';
import type * as apps from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { podTemplateSpec } from '../../parts/pod-template/pod-spec.ts';
import { atMost100Percent, intOrPercent, numberOf } from '../../parts/rules/counts.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { type Errors, nonNegative } from '../../parts/rules/rules.ts';
import {
  isEmptySelector,
  labelSelector,
  selectorRequirements,
  selects,
} from '../../parts/selectors/label-selectors.ts';
import { shownField } from '../../parts/rules/set-fields.ts';
import { mismatch, runsForever, statusOf } from '../../parts/workload/validation.ts';
import { templateGeneration } from './strategy.ts';

export function* daemonSet(object: apps.DaemonSet): Errors {
  const { spec = {} } = object;
  const { selector, template = {} } = spec;
  yield* labelSelector(selector, 'spec.selector');
  const wellFormed = selector === undefined || selectorRequirements(selector) !== undefined;
  if (wellFormed && !selects(selector, template.metadata?.labels ?? {})) {
    const labels = shownField(template.metadata ?? {}, 'labels');
    yield invalidField('spec.template.metadata.labels', internalValue('{}string', labels), mismatch);
  }
  if (selector !== undefined && isEmptySelector(selector)) {
    yield invalidField('spec.selector', internalValue('plain', selector), 'empty selector is invalid for daemonset');
  }
  yield* podTemplateSpec(template, 'spec.template');
  yield* runsForever(template, 'spec.template', 'DaemonSet');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* nonNegative(templateGeneration.valueIn(object), 'spec.templateGeneration');
  yield* daemonSetStrategy(spec.updateStrategy ?? {}, 'spec.updateStrategy');
  yield* nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit');
}

/** The generation follows the template, so that it only falls where it overflows. */
export function* templateGenerationUpdate(object: apps.DaemonSet, old: apps.DaemonSet): Errors {
  const [now, before] = [object, old].map((from) => templateGeneration.valueIn(from) ?? 0);
  if ((now ?? 0) < (before ?? 0)) yield invalidField('spec.templateGeneration', now, 'must not be decremented');
}

function* daemonSetStrategy(strategy: apps.DaemonSetUpdateStrategy, path: string): Errors {
  const { type = '', rollingUpdate } = strategy;
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    const value = internalValue('apps.DaemonSetUpdateStrategy', strategy);
    return yield notSupportedField(path, value, ['RollingUpdate', 'OnDelete']);
  }
  const updatePath = childPath(path, 'rollingUpdate');
  if (rollingUpdate === undefined) return yield requiredField(updatePath);
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const [unavailablePath, surgePath] = [childPath(updatePath, 'maxUnavailable'), childPath(updatePath, 'maxSurge')];
  yield* intOrPercent(maxUnavailable, unavailablePath);
  yield* intOrPercent(maxSurge, surgePath);
  yield* atMost100Percent(maxUnavailable, unavailablePath);
  yield* atMost100Percent(maxSurge, surgePath);
  const [unavailable, surge] = [numberOf(maxUnavailable) !== 0, numberOf(maxSurge) !== 0];
  if (unavailable && surge) yield invalidField(surgePath, maxSurge, 'may not be set when maxUnavailable is non-zero');
  else if (!unavailable && !surge) yield requiredField(unavailablePath, 'cannot be 0 when maxSurge is 0');
}

export const daemonSetStatus = statusOf({
  counters: [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ],
});
