import { invalidField } from '../../../api/field-error.ts';
import type * as resource from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { type Errors, immutableMessage } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { templateMeta } from '../../parts/volume-claim/validation.ts';
import { deviceClaim } from '../claim-spec.ts';
import { deviceExpressions } from '../device-expressions.ts';
import { ordered } from '../late-errors.ts';

export function* claimTemplate(template: resource.ResourceClaimTemplate): Errors {
  const { spec = {} } = template;
  yield* templateMeta(spec.metadata ?? {}, 'spec.metadata');
  yield* ordered(deviceClaim(spec.spec?.devices ?? {}, 'spec.spec.devices', () => deviceExpressions(template)));
}

export function claimTemplateUpdate(
  { spec }: resource.ResourceClaimTemplate,
  { spec: old }: resource.ResourceClaimTemplate,
): Errors {
  if (sameValue(spec, old)) return [];
  return [invalidField('spec', internalValue('resource.ResourceClaimTemplateSpec', spec), immutableMessage)];
}
