import type { Soon } from '../../api/scheduling/soon.ts';
import type { TimeSlice } from '../../api/scheduling/time-slice.ts';

/**
 * In place of a result: an evaluation that has paused, because others may run or because it waits for an authorizer,
 * and how it goes on. It costs nothing until an evaluation pauses, unlike generators.
 */
export class Pause<T> {
  /** Its result, or the next pause. To be called once. */
  readonly goOn: () => T | Pause<T>;
  /** What it has to wait for; undefined: other work may run if the time slice is over. */
  readonly awaited: Promise<void> | undefined;

  constructor(goOn: () => T | Pause<T>, awaited?: Promise<void>) {
    this.goOn = goOn;
    this.awaited = awaited;
  }

  /** The pause of what depends on the result. */
  before<Next>(next: (result: T) => Next | Pause<Next>): Pause<Next> {
    return new Pause(() => {
      const result = this.goOn();
      return result instanceof Pause ? result.before(next) : next(result);
    }, this.awaited);
  }
}

/** The result, without letting other work run. */
export function withoutPauses<T>(begun: T | Pause<T>): T {
  let result = begun;
  while (result instanceof Pause) {
    if (result.awaited !== undefined) throw new Error('an evaluation that has to wait has been called synchronously');
    result = result.goOn();
  }
  return result;
}

/** The result, or a promise of it if it has to be waited for or the time slice is over. */
export function settled<T>(begun: T | Pause<T>, timeSlice: TimeSlice): Soon<T> {
  return begun instanceof Pause ? settling(begun, timeSlice) : begun;
}

async function settling<T>(pause: Pause<T>, timeSlice: TimeSlice): Promise<T> {
  let result: T | Pause<T> = pause;
  while (result instanceof Pause) {
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    if (result.awaited !== undefined) await result.awaited;
    // oxlint-disable-next-line no-await-in-loop -- others run meanwhile
    else if (timeSlice.isOver) await timeSlice.next();
    result = result.goOn();
  }
  return result;
}
