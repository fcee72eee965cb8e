import { Integrator } from '../queueing/integrator.ts';
import { QueueSet, type QueueSetObserver, type QueueSetTiming } from '../queueing/queue-set.ts';
import type { SharedSeatPool } from '../shared-seats.ts';
import type { LevelSpec } from './level-spec.ts';

/** Seats that a level has by its configuration. */
export interface LevelLimits {
  readonly nominal: number;
  /** Without what it may lend. */
  readonly min: number;
  /** With what it may borrow. */
  readonly max: number;
}

/** The seats that a level could have used, over the last period. */
export interface SeatDemand {
  readonly highWatermark: number;
  readonly average: number;
  readonly deviation: number;
  readonly smoothed: number;
}

/** After five minutes, half of a peak of the demand is forgotten. */
const smoothing = 0.977;

const noDemand: SeatDemand = { highWatermark: 0, average: 0, deviation: 0, smoothed: 0 };

export interface PriorityLevelOptions {
  readonly spec: LevelSpec;
  readonly limits: LevelLimits;
  readonly timing: QueueSetTiming;
  readonly observer: QueueSetObserver;
}

/** One priority level: its configuration, its seats, its queues. */
export class PriorityLevel {
  readonly queues: QueueSet;
  spec: LevelSpec;
  limits: LevelLimits;
  demand = noDemand;
  /** Seats that it has at the moment, borrowed and lent ones included. */
  current: number;
  /** What the latest adjustment aimed at. */
  target = 0;
  /** Its configuration is gone: it goes when its last request has ended. */
  isQuiescing = false;
  readonly #integrator: Integrator;
  readonly #timing: QueueSetTiming;
  /** Undefined: the only thread has all seats. */
  #pool: SharedSeatPool | undefined;

  constructor({ spec, limits, timing, observer }: PriorityLevelOptions) {
    this.spec = spec;
    this.limits = limits;
    this.#timing = timing;
    this.current = initialSeats(limits);
    this.#integrator = new Integrator(timing.now());
    const integrator = this.#integrator;
    const observed: QueueSetObserver = {
      ...observer,
      changed(totals, nowMs) {
        integrator.set(totals.seatsInUse + totals.seatsWaiting, nowMs);
        observer.changed?.(totals, nowMs);
      },
    };
    this.queues = new QueueSet({ mode: spec.mode, limit: this.current }, timing, { observer: observed });
  }

  /** From now on other threads take seats as well. `divides`: this thread says how many there are. */
  shareWith(pool: SharedSeatPool, divides: boolean): void {
    this.#pool = pool;
    if (divides) pool.publish(this.current);
    this.queues.shareWith(pool);
  }

  get isExempt(): boolean {
    return this.spec.mode === 'exempt';
  }

  /** Closes the period of demand; returns whether there was any. `idlePeriods` have passed unnoticed before it. */
  closePeriod(idlePeriods: number): boolean {
    const { seconds, ...own } = this.#integrator.reset(this.#timing.now());
    const ofThread = { highWatermark: Math.round(own.max), average: own.average, deviation: own.deviation || 0 };
    const { highWatermark, average, deviation } = this.#pool?.withOthers(ofThread) ?? ofThread;
    const before = this.demand.smoothed * smoothing ** idlePeriods;
    if (seconds <= 0) {
      this.demand = { ...this.demand, highWatermark, smoothed: before };
      return highWatermark > 0;
    }
    const envelope = average + deviation;
    const smoothed = Math.max(envelope, smoothing * before + (1 - smoothing) * envelope);
    this.demand = { highWatermark, average, deviation, smoothed };
    return highWatermark > 0;
  }

  /** Tells the first thread what requests of this one have wanted; returns whether there were any. */
  tellDemand(): boolean {
    const { average, deviation, max } = this.#integrator.reset(this.#timing.now());
    const highWatermark = Math.round(max);
    if (highWatermark > 0) this.#pool?.tellDemand({ highWatermark, average, deviation: deviation || 0 });
    return highWatermark > 0;
  }

  setCurrent(seats: number): void {
    this.current = seats;
    this.#pool?.publish(seats);
    this.queues.configure({ mode: this.spec.mode, limit: seats });
  }
}

/** Half of what may be lent is expected to be. */
function initialSeats({ nominal, min }: LevelLimits): number {
  return nominal - Math.floor((nominal - min) / 2);
}
