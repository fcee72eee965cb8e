import { invalidField } from '../../../api/errors/field-error.ts';
import type { WriteContext } from '../../../registry/kinds/strategy.ts';
import type * as resource from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { type Errors, immutableMessage } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { templateMeta } from '../../parts/volume-claim/validation.ts';
import { deviceClaim } from '../claim-spec.ts';
import { deviceExpressions } from '../device-expressions.ts';
import { ordered, requestPlaces } from '../late-errors.ts';

export function claimTemplate(template: resource.ResourceClaimTemplate, { requestVersion }: WriteContext): Errors {
  return ordered(templateSpec(template), requestPlaces(requestVersion));
}

function* templateSpec(template: resource.ResourceClaimTemplate): Errors {
  const { spec = {} } = template;
  yield* templateMeta(spec.metadata ?? {}, 'spec.metadata');
  yield* deviceClaim(spec.spec?.devices ?? {}, 'spec.spec.devices', () => deviceExpressions(template));
}

export function claimTemplateUpdate(
  template: resource.ResourceClaimTemplate,
  old: resource.ResourceClaimTemplate,
  { requestVersion }: WriteContext,
): Errors {
  return ordered(updateErrors(template, old), requestPlaces(requestVersion));
}

function* updateErrors(template: resource.ResourceClaimTemplate, old: resource.ResourceClaimTemplate): Errors {
  yield* templateSpec(template);
  const { spec } = template;
  if (sameValue(spec, old.spec)) return;
  yield invalidField('spec', internalValue('resource.ResourceClaimTemplateSpec', spec), immutableMessage);
}
