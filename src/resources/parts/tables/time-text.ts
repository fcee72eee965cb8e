import { humanDuration } from '../../../api/human-duration.ts';
import type { TableContext } from '../../../registry/table.ts';
import type { ObjectMeta } from '../../../schema/kubernetes/generated/types/meta-v1.ts';

/** Time since a timestamp; `<unknown>` without one. */
export function timeSince(timestamp: string | undefined, { nowMs }: TableContext): string {
  return timestamp === undefined ? '<unknown>' : humanDuration(nowMs - Date.parse(timestamp));
}

/** Time until a future timestamp. */
export function timeUntil(timestamp: string, { nowMs }: TableContext): string {
  return humanDuration(Date.parse(timestamp) - nowMs);
}

/** Time between two timestamps. */
export function timeBetween(start: string, end: string): string {
  return humanDuration(Date.parse(end) - Date.parse(start));
}

/** The cell of the Age column. */
export function age(object: { readonly metadata?: ObjectMeta }, context: TableContext): string {
  return timeSince(object.metadata?.creationTimestamp, context);
}

/** The cell of the Created At column. Objects that are not stored show the zero time. */
export function createdAt(object: { readonly metadata?: ObjectMeta }): string {
  return object.metadata?.creationTimestamp ?? '0001-01-01T00:00:00Z';
}
