import { childPath } from '../../../api/errors/field-error.ts';
import type * as resource from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import type { Errors } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { maxItems } from '../claim-spec.ts';
import { deviceExpressions } from '../device-expressions.ts';
import { declaredExtendedName } from '../device-names.ts';
import { limited, opaqueConfiguration, selectors } from '../device-rules.ts';
import { ordered } from '../late-errors.ts';

function* classSpec(object: resource.DeviceClass, old?: resource.DeviceClass): Errors {
  const { spec = {} } = object;
  const isStored = (field: 'selectors' | 'config'): boolean =>
    old !== undefined && sameValue(spec[field], old.spec?.[field]);
  const expressions = isStored('selectors') ? 'stored' : () => deviceExpressions(object);
  yield* selectors(spec.selectors, 'spec.selectors', expressions);
  const keepsConfig = isStored('config');
  yield* limited(spec.config, 'spec.config', maxItems, ({ opaque }, at) =>
    opaqueConfiguration(opaque, childPath(at, 'opaque'), keepsConfig),
  );
  const { extendedResourceName: name } = spec;
  if (name !== undefined) yield* declaredExtendedName(name, 'spec.extendedResourceName');
}

export const deviceClass = (value: resource.DeviceClass, old?: resource.DeviceClass): Errors =>
  ordered(classSpec(value, old));
