import type { KubernetesObject } from '../api/meta/object.ts';
import type { FlowRequest } from './classification/flow-request.ts';
import { DroppedRequests } from './dropped-requests.ts';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from './dumps/dumps.ts';
import { type LevelState, levelStates } from './dumps/level-state.ts';
import { mergedLevels } from './dumps/merged-levels.ts';
import { FlowMetrics, type FlowSeries, type MakeMetric } from './flow-metrics.ts';
import { measureLevels } from './level-metrics.ts';
import { FlowTable, maxSeatsOf, type PlacedSchema } from './levels/flow-table.ts';
import type { PriorityLevel } from './levels/priority-level.ts';
import type { QueueSetObserver } from './queueing/queue-set.ts';
import { HighMarks, inFlight, inQueue } from './high-marks.ts';
import { type RequestKind, Utilization } from './utilization.ts';
import type { LoopCapacity } from './loop-capacity.ts';
import { maxSeats, type QueuedRequest } from './queueing/queue.ts';
import type { Classification, SeatAccount, SeatedRequest, Seats, SeatTicket } from './seats.ts';
import type { SharedSeats } from './shared-seats.ts';
import { WatchCounts } from './estimates/watch-counts.ts';
import { type EstimatedRequest, WorkEstimator, type WorkEstimatorOptions } from './estimates/work-estimator.ts';

export interface FlowControlOptions extends WorkEstimatorOptions {
  readonly totalSeats: number;
  readonly capacity: LoopCapacity;
  /** Milliseconds that only grow. */
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => void;
  readonly metric: MakeMetric;
}

/** What flow control has in common with that of other threads. */
export interface SharedFlowControl {
  readonly seats: SharedSeats;
  /** Called while there are requests, in every period: the first thread is to divide the seats. */
  readonly onDemand: () => void;
  /** For the first thread: the levels of each of the others. */
  readonly otherLevels?: (withRequests: boolean) => Promise<readonly (readonly LevelState[])[]>;
}

/** How often seats are divided anew, while there are requests. */
const adjustmentMs = 10_000;

const noHand: readonly number[] = [];

/** Classifies requests, and gives them seats. */
export class FlowControl implements Seats {
  readonly #options: FlowControlOptions;
  readonly #table: FlowTable;
  readonly #metrics: FlowMetrics;
  readonly #estimator: WorkEstimator;
  readonly #utilization: Utilization;
  readonly #watches = new WatchCounts();
  readonly #dropped = new DroppedRequests();
  readonly #executing: HighMarks;
  readonly #waiting: HighMarks;
  #stored: { readonly schemas: readonly KubernetesObject[]; readonly levels: readonly KubernetesObject[] } = {
    schemas: [],
    levels: [],
  };
  /** Undefined: the seats are those of the only thread. */
  #shared: SharedFlowControl | undefined;
  #adjustedMs: number;
  #isAdjusting = false;

  constructor(options: FlowControlOptions) {
    const { totalSeats, capacity, now, after, metric } = options;
    this.#options = options;
    this.#adjustedMs = now();
    this.#metrics = new FlowMetrics(metric);
    this.#estimator = new WorkEstimator(options);
    const timing = {
      now,
      after,
      get holdsSeats() {
        return capacity.isStrained;
      },
      hold: (release: () => boolean) => capacity.hold(release),
    };
    this.#utilization = new Utilization(metric, now);
    const observe = (level: string): QueueSetObserver => {
      return { changed: this.#utilization.observer(level), epochAdvanced: () => this.#metrics.epochAdvanced(level) };
    };
    const { seriesOf } = this.#metrics;
    this.#table = new FlowTable({ totalSeats, timing, observe, seriesOf });
    this.#utilization.relateTo(this.#table, totalSeats);
    measureLevels(metric, this.#table, () => this.#catchUp());
    this.#executing = new HighMarks(now).shownAs(inFlight, metric);
    this.#waiting = new HighMarks(now).shownAs(inQueue, metric);
  }

  /** From now on other threads take seats as well. */
  shareWith(shared: SharedFlowControl): void {
    this.#shared = shared;
    this.#table.shareWith(shared.seats);
  }

  /** Takes over the stored FlowSchemas and PriorityLevelConfigurations. */
  configure(schemas: readonly KubernetesObject[], levels: readonly KubernetesObject[]): void {
    this.#stored = { schemas, levels };
    this.#table.configure(schemas, levels);
    this.#relate();
  }

  begin(request: SeatedRequest): SeatTicket {
    const nowMs = this.#options.now();
    this.#options.capacity.sees(request.arrivedMs, nowMs);
    if (!this.#isAdjusting) this.#startAdjusting();
    const schema = this.#table.classify(request);
    const { level, flows, series } = schema;
    const work = this.#estimator.estimate(request, {
      watches: this.#countedWatches(request, series),
      limit: maxSeatsOf(level),
    });
    series.estimated(maxSeats(work));
    const distinguisher = schema.distinguish(request);
    const parts = { flowSchema: schema.name, distinguisher, work, about: request, observer: series };
    const queued = level.queues.start(parts, flows?.handOf(distinguisher) ?? noHand, nowMs);
    return new Ticket({ request, queued, schema, control: this.#ticketControl });
  }

  watches(request: EstimatedRequest): () => void {
    return this.#watches.add(request);
  }

  /** The debug pages, as text: of all threads. */
  readonly pages = {
    dump_priority_levels: async (): Promise<string> => dumpPriorityLevels(await this.#allLevels(false)),
    dump_queues: async (): Promise<string> => dumpQueues(await this.#allLevels(false)),
    dump_requests: async (withDetails: boolean): Promise<string> =>
      dumpRequests(await this.#allLevels(true), withDetails),
  };

  /** What this thread has. */
  levels(withRequests: boolean): readonly LevelState[] {
    return levelStates(this.#table.levels, { withRequests, nowMs: this.#options.now() });
  }

  async #allLevels(withRequests: boolean): Promise<readonly LevelState[]> {
    const others = (await this.#shared?.otherLevels?.(withRequests)) ?? [];
    return mergedLevels([this.levels(withRequests), ...others]);
  }

  /** Which schema requests would be counted under. */
  classify(request: FlowRequest): { readonly schema: string; readonly level: string } {
    const { name, level } = this.#table.classify(request);
    return { schema: name, level: level.spec.name };
  }

  #countedWatches(request: EstimatedRequest, series: FlowSeries): number {
    if (!this.#estimator.countsWatches(request)) return 0;
    const count = this.#watches.interestedIn(request);
    series.watches(count);
    return count;
  }

  readonly #ticketControl: TicketControl = {
    now: () => this.#options.now(),
    waits: (kind, by, nowMs) => {
      this.#waiting.changes(kind, by, nowMs);
      this.#utilization.waiting[kind].add(by, nowMs);
    },
    runs: (kind, by, nowMs) => {
      this.#executing.changes(kind, by, nowMs);
      this.#utilization.executing[kind].add(by, nowMs);
    },
    refused: (level, nowMs) => this.#dropped.note(level, nowMs),
    idle: (level) => {
      if (level.isQuiescing && level.queues.isIdle) this.configure(this.#stored.schemas, this.#stored.levels);
    },
  };

  /** Another thread has requests. */
  noteDemand(): void {
    if (!this.#isAdjusting) this.#startAdjusting();
  }

  /** Periods without requests are made up for when there are some again. */
  #startAdjusting(): void {
    this.#isAdjusting = true;
    this.#shared?.onDemand();
    this.#catchUp();
    this.#options.after(adjustmentMs, () => this.#adjust());
  }

  #adjust(): void {
    this.#adjustedMs = this.#options.now();
    this.#isAdjusting = this.#table.adjust();
    this.#relate();
    if (!this.#isAdjusting) return;
    this.#shared?.onDemand();
    this.#options.after(adjustmentMs, () => this.#adjust());
  }

  #catchUp(): void {
    const periods = Math.floor((this.#options.now() - this.#adjustedMs) / adjustmentMs);
    if (periods === 0) return;
    this.#adjustedMs += periods * adjustmentMs;
    this.#table.adjust(periods - 1);
    this.#relate();
  }

  #relate(): void {
    this.#utilization.relateTo(this.#table, this.#options.totalSeats);
  }
}

interface TicketControl {
  readonly now: () => number;
  readonly waits: (kind: RequestKind, by: 1 | -1, nowMs: number) => void;
  readonly runs: (kind: RequestKind, by: 1 | -1, nowMs: number) => void;
  /** Returns the seconds after which the client may come again. */
  readonly refused: (level: string, nowMs: number) => number;
  readonly idle: (level: PriorityLevel) => void;
}

interface TicketParts {
  readonly request: SeatedRequest;
  readonly queued: QueuedRequest;
  readonly schema: PlacedSchema;
  readonly control: TicketControl;
}

const readOnly = new Set(['get', 'list', 'watch']);

class Ticket implements SeatTicket {
  retryAfterSeconds = 0;
  #executedMs: number | undefined;
  readonly #parts: TicketParts;
  readonly #kind: RequestKind;

  constructor(parts: TicketParts) {
    this.#parts = parts;
    this.#kind = readOnly.has(parts.request.verb) ? 'readOnly' : 'mutating';
    const { queued, schema, control } = parts;
    const nowMs = queued.arrivedMs;
    if (queued.state === 'waiting') {
      control.waits(this.#kind, 1, nowMs);
      return;
    }
    if (!schema.level.isExempt) schema.series.waited(queued.state === 'executing', 0);
    if (queued.state === 'executing') control.runs(this.#kind, 1, nowMs);
    if (queued.state === 'refused') this.retryAfterSeconds = control.refused(schema.level.spec.name, nowMs);
  }

  get classification(): Classification {
    return this.#parts.schema.classification;
  }

  get account(): SeatAccount {
    const { queued, schema } = this.#parts;
    return {
      flowSchema: schema.name,
      priorityLevel: schema.level.spec.name,
      work: queued.work,
      startedMs: queued.startedMs,
      executedMs: this.#executedMs,
    };
  }

  get state(): SeatTicket['state'] {
    const { state } = this.#parts.queued;
    return state === 'lingering' ? 'ended' : state;
  }

  onDispatch(run: () => void): void {
    const { control, queued } = this.#parts;
    queued.onDispatch = () => {
      const nowMs = control.now();
      this.#waitEnds(nowMs);
      control.runs(this.#kind, 1, nowMs);
      run();
    };
  }

  cancel(): void {
    const { queued, schema, control } = this.#parts;
    if (queued.state !== 'waiting') return;
    schema.level.queues.cancel(queued);
    // Like kube-apiserver, which tells those that never waited from others.
    const nowMs = control.now();
    this.#waitEnds(nowMs);
    this.retryAfterSeconds = control.refused(schema.level.spec.name, nowMs);
    control.idle(schema.level);
  }

  end(): void {
    const { queued, schema, control, request } = this.#parts;
    if (queued.state !== 'executing') return;
    const nowMs = control.now();
    control.runs(this.#kind, -1, nowMs);
    schema.level.queues.end(queued, nowMs);
    this.#executedMs = nowMs - (queued.startedMs ?? 0);
    schema.series.executed(request.verb === 'watch' ? 'watch' : 'regular', this.#executedMs / 1_000);
    control.idle(schema.level);
  }

  #waitEnds(nowMs: number): void {
    const { queued, schema, control } = this.#parts;
    control.waits(this.#kind, -1, nowMs);
    schema.series.waited(true, (nowMs - queued.arrivedMs) / 1_000);
  }
}
