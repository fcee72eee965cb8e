import { Integrator } from '../queueing/integrator.ts';
import { QueueSet, type QueueSetObserver, type QueueSetTiming } from '../queueing/queue-set.ts';
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

  constructor({ spec, limits, timing, observer }: PriorityLevelOptions) {
    this.spec = spec;
    this.limits = limits;
    this.#timing = timing;
    this.current = initialSeats(limits);
    this.#integrator = new Integrator(timing.now());
    const integrator = this.#integrator;
    this.queues = new QueueSet({ mode: spec.mode, limit: this.current }, timing, {
      ...observer,
      changed(totals, nowMs) {
        integrator.set(totals.seatsInUse + totals.seatsWaiting, nowMs);
        observer.changed?.(totals, nowMs);
      },
    });
  }

  get isExempt(): boolean {
    return this.spec.mode === 'exempt';
  }

  /** Closes the period of demand; returns whether there was any. `idlePeriods` have passed unnoticed before it. */
  closePeriod(idlePeriods: number): boolean {
    const { seconds, average, deviation, max } = this.#integrator.reset(this.#timing.now());
    const highWatermark = Math.round(max);
    const before = this.demand.smoothed * smoothing ** idlePeriods;
    if (seconds <= 0) {
      this.demand = { ...this.demand, highWatermark, smoothed: before };
      return highWatermark > 0;
    }
    const spread = Number.isNaN(deviation) ? 0 : deviation;
    const envelope = average + spread;
    const smoothed = Math.max(envelope, smoothing * before + (1 - smoothing) * envelope);
    this.demand = { highWatermark, average, deviation: spread, smoothed };
    return highWatermark > 0;
  }

  setCurrent(seats: number): void {
    this.current = seats;
    this.queues.configure({ mode: this.spec.mode, limit: seats });
  }
}

/** Half of what may be lent is expected to be. */
function initialSeats({ nominal, min }: LevelLimits): number {
  return nominal - Math.floor((nominal - min) / 2);
}
