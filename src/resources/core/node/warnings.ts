import type { Node } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { cidrWarnings } from '../../parts/addresses/ip-texts.ts';
import { perItem, type Warnings } from '../../parts/warnings/per-item.ts';

export function* nodeWarnings({ spec = {} }: Node): Warnings {
  if (spec.configSource !== undefined) yield 'spec.configSource: the feature is removed';
  if ((spec.externalID ?? '') !== '') yield 'spec.externalID: this field is deprecated, and is unused by Kubernetes';
  yield* perItem(spec.podCIDRs, (range, index) => cidrWarnings(`spec.podCIDRs[${index}]`, range));
}
