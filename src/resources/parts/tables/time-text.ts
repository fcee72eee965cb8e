import { humanDuration } from '../../../api/time/human-duration.ts';
import { canonicalTimeMs, isZeroTimeText } from '../../../api/time/time.ts';
import type { TableContext } from '../../../registry/kinds/table.ts';
import type { ObjectMeta } from '../../../schema/kubernetes/generated/types/meta-v1.ts';

/** Time since a timestamp; `<unknown>` without one, and since the zero time. */
export function timeSince(timestamp: string | undefined, { nowMs }: TableContext): string {
  if (timestamp === undefined || isZeroTimeText(timestamp)) return '<unknown>';
  return humanDuration(nowMs - canonicalTimeMs(timestamp));
}

/** Time until a future timestamp. */
export function timeUntil(timestamp: string, { nowMs }: TableContext): string {
  return isZeroTimeText(timestamp) ? '<unknown>' : humanDuration(canonicalTimeMs(timestamp) - nowMs);
}

/** Time between two timestamps, or until now. */
export function timeBetween(start: string, end: string | undefined, { nowMs }: TableContext): string {
  return humanDuration((end === undefined ? nowMs : canonicalTimeMs(end)) - canonicalTimeMs(start));
}

/** The cell of the Age column. */
export function age(object: { readonly metadata?: ObjectMeta }, context: TableContext): string {
  return timeSince(object.metadata?.creationTimestamp, context);
}

/** The cell of the Created At column. Objects that are not stored show the zero time. */
export function createdAt(object: { readonly metadata?: ObjectMeta }): string {
  return object.metadata?.creationTimestamp ?? '0001-01-01T00:00:00Z';
}
