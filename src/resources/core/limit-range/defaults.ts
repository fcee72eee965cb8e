import type { LimitRangeItem } from '../../../schema/kubernetes/generated/types/core-v1.ts';

export function defaultLimitRangeItem(item: LimitRangeItem): void {
  if (item.type !== 'Container') return;
  const limits = { ...item.max, ...item.default };
  const requests = { ...item.min, ...limits, ...item.defaultRequest };
  if (Object.keys(limits).length > 0) item.default = limits;
  if (Object.keys(requests).length > 0) item.defaultRequest = requests;
}
