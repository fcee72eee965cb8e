import type { Stall } from './stall-guard.ts';
import { megabytes, type Trial } from './trial.ts';

/** One line per case; complaints and the worst stalls follow below it, also those of a success if
 * their functions are known. */
export function describeTrial(trial: Trial, attempts: number): string {
  const { name, codes, bodyBytes, tookMs, worstMs, idleMs, boundMs, peakBytes, keptBytes, complaints } = trial;
  const kept = bodyBytes === 0 ? '' : ` (${(keptBytes / bodyBytes).toFixed(1)}×)`;
  const cells = [
    complaints.length === 0 ? 'ok  ' : 'FAIL',
    name.padEnd(64),
    codes.join('/').padEnd(7),
    `body ${megabytes(bodyBytes)} MB`.padEnd(12),
    `took ${Math.round(tookMs)} ms`.padEnd(14),
    `readyz ${Math.round(worstMs)} ms (idle ${Math.round(idleMs)}, bound ${Math.round(boundMs)})`.padEnd(36),
    `stall ${Math.max(0, ...trial.stalls.map(({ cpuMs }) => cpuMs))} ms`.padEnd(13),
    `peak ${megabytes(peakBytes)} MB`.padEnd(13),
    `kept ${megabytes(keptBytes)} MB${kept}`,
    attempts > 1 ? `try ${attempts}` : '',
  ];
  const hasFindings = complaints.length > 0 || trial.stalls.some(({ functions = [] }) => functions.length > 0);
  const stalls = hasFindings ? worst(trial.stalls).map((stall) => `       ${describeStall(stall)}`) : [];
  return [cells.join(' ').trimEnd(), ...complaints.map((complaint) => `     ! ${complaint}`), ...stalls].join('\n');
}

const shownStalls = 3;

function worst(stalls: readonly Stall[]): readonly Stall[] {
  return stalls.toSorted((a, b) => b.wallMs - a.wallMs).slice(0, shownStalls);
}

export function describeStall({ request, wallMs, cpuMs, functions = [] }: Stall): string {
  const where = functions.length === 0 ? '' : `: ${functions.join('; ')}`;
  return `stall ${wallMs} ms (${cpuMs} ms computed) in ${request === '' ? 'no request' : request}${where}`;
}
