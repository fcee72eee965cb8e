import { randomUUID } from 'node:crypto';
import type { LimitRange, LimitRangeItem } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { roundsUp } from '../../parts/amounts/resource-list.ts';
import { inTurn, typed } from '../../parts/defaults/fill.ts';
import { limitRange } from './validation.ts';

export const limitRangeKind = defineKind<LimitRange>({
  group: '',
  kind: 'LimitRange',
  strategy: {
    allowCreateOnUpdate: true,
    prepareForCreate({ metadata }) {
      if (metadata.name === undefined || metadata.name === '') metadata.name = randomUUID();
    },
  },
  checks: { both: limitRange },
  defaults: {
    'io.k8s.api.core.v1.LimitRangeItem': inTurn(
      typed(defaultLimitRangeItem),
      roundsUp('default', 'defaultRequest', 'max', 'maxLimitRequestRatio', 'min'),
    ),
  },
});

function defaultLimitRangeItem(item: LimitRangeItem): void {
  if (item.type !== 'Container') return;
  const limits = { ...item.max, ...item.default };
  const requests = { ...item.min, ...limits, ...item.defaultRequest };
  if (Object.keys(limits).length > 0) item.default = limits;
  if (Object.keys(requests).length > 0) item.defaultRequest = requests;
}
