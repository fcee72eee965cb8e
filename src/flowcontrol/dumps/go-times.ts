import { formatDuration } from '../../api/time/duration.ts';
import { withoutEnd } from '../../api/text/text-edges.ts';
import { formatTime } from '../../api/time/time.ts';

const nanosPerMs = 1_000_000;

/** As Go prints times with nanoseconds: `2026-11-28T21:38:32.526613Z`, without trailing zeros. */
export function goTimeOf(epochMs: number): string {
  const seconds = Math.floor(epochMs / 1_000);
  const nanos = Math.floor((epochMs - seconds * 1_000) * nanosPerMs);
  const text = formatTime({ epochMs: seconds * 1_000 });
  if (nanos === 0) return text;
  return text.replace('Z', `.${withoutEnd(String(nanos).padStart(9, '0'), '0')}Z`);
}

export function goDurationOf(ms: number): string {
  return formatDuration(BigInt(Math.round(ms * nanosPerMs)));
}
