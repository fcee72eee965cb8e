import type { HighMarks } from '../../flowcontrol/high-marks.ts';
import type { SeatPool } from '../../flowcontrol/queueing/seat-pool.ts';
import type { SeatSharing } from '../../flowcontrol/seat-sharing.ts';
import { tooManyRequests } from '../responses/plain-failure.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';

export interface InFlightLimits {
  /** Requests that may run at once; 0: any number. */
  readonly readOnly: number;
  readonly mutating: number;
}

const reading = new Set(['get', 'list', 'watch']);
/** They always get an answer. */
const privileged = 'system:masters';
const retryAfterSeconds = 1;

export interface InFlightOptions {
  readonly limits: InFlightLimits;
  readonly sharing: SeatSharing;
  /** Receives the changes of what counts against a limit. */
  readonly marks: HighMarks;
  readonly onRefused: (context: RequestContext) => void;
}

/** Refuses requests beyond a number of those that run, apart from long-running ones. Undefined if any may run. */
export function inFlightStage({ limits, sharing, marks, onRefused }: InFlightOptions): Stage | undefined {
  if (limits.readOnly === 0 && limits.mutating === 0) return undefined;
  const running = { readOnly: 0, mutating: 0 };
  /** The seats of the process, once there are other threads. */
  const pools: Partial<Record<keyof InFlightLimits, SeatPool | undefined>> = {};
  sharing.join(({ seats }) => {
    for (const kind of ['readOnly', 'mutating'] as const) {
      pools[kind] = seats.poolOf(`in-flight/${kind}`);
      pools[kind]?.add(running[kind]);
    }
  });
  const counted = new WeakMap<RequestContext, keyof InFlightLimits>();
  const release = (context: RequestContext): void => {
    const kind = counted.get(context);
    if (kind === undefined) return;
    running[kind] -= 1;
    pools[kind]?.give(1);
    marks.changes(kind, -1);
  };
  return {
    name: 'in-flight',
    run(context) {
      if (context.isLongRunning) return;
      const kind = reading.has(context.info.verb) ? 'readOnly' : 'mutating';
      if (limits[kind] === 0) return;
      if (pools[kind]?.take(1, limits[kind]) ?? running[kind] < limits[kind]) {
        running[kind] += 1;
        marks.changes(kind, 1);
        counted.set(context, kind);
        return;
      }
      if (context.user.groups.includes(privileged)) return;
      onRefused(context);
      throw tooManyRequests(retryAfterSeconds);
    },
    end: release,
    passedOn: release,
  };
}
