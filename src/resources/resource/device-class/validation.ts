import { childPath } from '../../../api/field-error.ts';
import type * as resource from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import type { Errors } from '../../parts/rules/rules.ts';
import { maxItems } from '../claim-spec.ts';
import { declaredExtendedName, limited, opaqueConfiguration, ordered, selectors } from '../device-rules.ts';

function* classSpec({ spec = {} }: resource.DeviceClass): Errors {
  yield* selectors(spec.selectors, 'spec.selectors');
  yield* limited(spec.config, 'spec.config', maxItems, ({ opaque }, at) =>
    opaqueConfiguration(opaque, childPath(at, 'opaque')),
  );
  const { extendedResourceName: name } = spec;
  if (name !== undefined) yield* declaredExtendedName(name, 'spec.extendedResourceName');
}

export const deviceClass = (value: resource.DeviceClass): Errors => ordered(classSpec(value));
