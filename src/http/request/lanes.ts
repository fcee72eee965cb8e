import { PassedOn } from '../../api/contracts/request-passing.ts';
import type { Begun } from '../handover/sent-exchange.ts';
import type { Exchange } from '../transport/exchange.ts';

/**
 * Bodies and stored objects beyond this are large. An object of many small values takes up to 0.3 ms of CPU for each
 * KiB, for which others would have to wait; to hand a request over takes less than a millisecond.
 */
export const largeBytes = 64 * 1024;

/** Threads that serve large requests. */
export interface Lanes {
  /** One that can take a request; undefined: there is none, so it is to be served here. */
  free(): Lane | undefined | Promise<Lane | undefined>;
}

export interface Lane {
  /** Serves an exchange from now on; `begun` is what was done with it. */
  handOver(exchange: Exchange, begun?: Begun): void;
}

/** Thrown before anything has been written for a request that a lane is to serve instead. */
export class PassOn extends PassedOn {
  override readonly name = 'PassOn';
  readonly lane: Lane;
  readonly begun: Begun | undefined;

  constructor(lane: Lane, begun?: Begun) {
    super('the request is to be served by a lane');
    this.lane = lane;
    this.begun = begun;
  }
}
