import {
  childPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../../api/errors/field-error.ts';
import type { JsonValue } from '../../../api/json/json.ts';
import type * as apps from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { LabelSelector } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { podTemplateSpec } from '../pod-template/pod-spec.ts';
import { bounded, counters, notDecremented } from '../rules/counts.ts';
import { internalValue } from '../rules/internal-value.ts';
import { type Errors, immutableMessage } from '../rules/rules.ts';
import { sameValue } from '../rules/same-value.ts';
import { shownField } from '../rules/set-fields.ts';
import { isEmptySelector, labelSelector, selectorRequirements, selects } from '../selectors/label-selectors.ts';

// Workloads that keep replicas of one pod template running.

export const mismatch = '`selector` does not match template `labels`';

export function* templateLabels(
  selector: LabelSelector | undefined,
  template: core.PodTemplateSpec,
  path: string,
): Errors {
  const values = template.metadata?.labels;
  if (selects(selector, values ?? {})) return;
  yield invalidField(
    childPath(path, 'metadata.labels'),
    internalValue('{}string', shownField(template.metadata ?? {}, 'labels')),
    mismatch,
  );
}

/** Pods of these kinds always restart and have no deadline. */
export function* runsForever(template: core.PodTemplateSpec, path: string, kind: string): Errors {
  const { restartPolicy = '', activeDeadlineSeconds } = template.spec ?? {};
  if (restartPolicy !== 'Always')
    yield notSupportedField(childPath(path, 'spec.restartPolicy'), restartPolicy, ['Always']);
  if (activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
    yield forbiddenField(childPath(path, 'spec.activeDeadlineSeconds'), detail);
  }
}

export function* selectorOf(selector: LabelSelector | undefined, path: string, kind: string): Errors {
  if (selector === undefined) return yield requiredField(path);
  yield* labelSelector(selector, path);
  if (isEmptySelector(selector)) {
    yield invalidField(path, internalValue('plain', selector), `empty selector is invalid for ${kind}`);
  }
}

/** Selector and template, both required. */
export function* replicaTemplate(spec: apps.ReplicaSetSpec, kind: string, detail: string): Errors {
  yield* selectorOf(spec.selector, 'spec.selector', kind);
  const { template = {}, selector } = spec;
  if (selector !== undefined && selectorRequirements(selector) === undefined) {
    return yield invalidField('spec.selector', internalValue('plain', selector), detail);
  }
  if (selector === undefined || !isEmptySelector(selector)) yield* templateLabels(selector, template, 'spec.template');
  yield* podTemplateSpec(template, 'spec.template');
  yield* runsForever(template, 'spec.template', 'ReplicaSet');
}

export function shownSelector(selector: LabelSelector | undefined): JsonValue {
  return selector === undefined ? null : internalValue('plain', selector);
}

export function* selectorUpdate(
  object: { spec?: { selector?: LabelSelector } },
  old: { spec?: { selector?: LabelSelector } },
): Errors {
  const selector = object.spec?.selector;
  if (sameValue(selector, old.spec?.selector)) return;
  yield invalidField('spec.selector', shownSelector(selector), immutableMessage);
}

const notAboveReplicas = 'cannot be greater than status.replicas';

export const aboveReplicas = (name: string) => ({ name, limit: 'replicas', detail: notAboveReplicas });

export const availableReady = {
  name: 'availableReplicas',
  limit: 'readyReplicas',
  detail: 'cannot be greater than readyReplicas',
};

interface StatusRules {
  readonly counters: readonly string[];
  readonly bounds?: Parameters<typeof bounded>[2];
}

type WithStatus = { status?: { collisionCount?: number; replicas?: number; observedGeneration?: number | bigint } };

export function statusOf({ counters: names, bounds = [] }: StatusRules) {
  return function* (object: WithStatus, old: WithStatus): Errors {
    const status = object.status ?? {};
    yield* counters(names)(status, 'status');
    yield* bounded(status, 'status', bounds);
    yield* notDecremented(status.collisionCount, old.status?.collisionCount, 'status.collisionCount');
  };
}

const replicaCounters = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
];

export const replicaSetStatus = statusOf({
  counters: [...replicaCounters, 'terminatingReplicas'],
  bounds: [...['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'].map(aboveReplicas), availableReady],
});
