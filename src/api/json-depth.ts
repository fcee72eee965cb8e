import type { JsonValue } from './json.ts';

/** Whether lists and objects nest more than `levels` deep; recurses as many times at most. */
export function isDeeperThan(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}
