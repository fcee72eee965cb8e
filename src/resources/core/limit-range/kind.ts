import type { LimitRange } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { roundsUp } from '../../parts/amounts/resource-list.ts';
import { inTurn, typed } from '../../parts/defaults/fill.ts';
import { defaultLimitRangeItem } from './defaults.ts';
import { limitRange } from './validation.ts';

export const limitRangeKind = defineKind<LimitRange>({
  group: '',
  kind: 'LimitRange',
  strategy: { allowCreateOnUpdate: true },
  checks: { both: limitRange },
  defaults: {
    'io.k8s.api.core.v1.LimitRangeItem': inTurn(
      typed(defaultLimitRangeItem),
      roundsUp('default', 'defaultRequest', 'max', 'maxLimitRequestRatio', 'min'),
    ),
  },
});
