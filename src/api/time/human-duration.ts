const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The longest duration that fits int64 nanoseconds; longer ones are capped, as in the reference. */
const longestMs = 9_223_372_036_854;

/**
 * A duration as `kubectl get` prints ages, with two or three significant figures: `45s`, `2m30s`, `5h12m`, `3d4h`,
 * `2y20d`. Up to two seconds of clock skew are tolerated: `-1s` prints as `0s`, anything earlier as `<invalid>`.
 */
export function humanDuration(durationMs: number): string {
  const ms = Math.min(durationMs, longestMs);
  const seconds = Math.trunc(ms / secondMs);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(ms / minuteMs);
  if (minutes < 10) return twoUnits(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(ms / hourMs);
  if (hours < 8) return twoUnits(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (days < 8) return twoUnits(days, 'd', hours % 24, 'h');
  if (days < 2 * 365) return `${days}d`;
  const years = Math.trunc(days / 365);
  return years < 8 ? twoUnits(years, 'y', days % 365, 'd') : `${years}y`;
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
