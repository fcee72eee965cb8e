import { requiredField } from '../../../api/errors/field-error.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { podTemplateSpec } from '../../parts/pod-template/pod-spec.ts';
import { type Errors, isEmpty, nonNegative } from '../../parts/rules/rules.ts';
import { runsForever, templateLabels } from '../../parts/workload/validation.ts';

export function* replicationController({ spec = {} }: core.ReplicationController): Errors {
  const { selector = {}, template } = spec;
  if (isEmpty(selector)) yield requiredField('spec.selector');
  if (template === undefined) yield requiredField('spec.template');
  else {
    if (!isEmpty(selector)) yield* templateLabels({ matchLabels: selector }, template, 'spec.template');
    yield* podTemplateSpec(template, 'spec.template');
    yield* runsForever(template, 'spec.template', 'ReplicationController');
  }
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
}
