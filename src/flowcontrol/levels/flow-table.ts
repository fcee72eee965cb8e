import type { KubernetesObject } from '../../api/meta/object.ts';
import type { FlowSchema, PriorityLevelConfiguration } from '../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import { bootstrapFlowSchemas } from '../bootstrap/bootstrap-flow-schemas.ts';
import { bootstrapPriorityLevels } from '../bootstrap/bootstrap-priority-levels.ts';
import { Classifier } from '../classification/classifier.ts';
import type { FlowRequest } from '../classification/flow-request.ts';
import type { FlowSeries } from '../flow-metrics.ts';
import type { QueueSetObserver, QueueSetTiming } from '../queueing/queue-set.ts';
import type { Classification } from '../seats.ts';
import type { SharedSeats } from '../shared-seats.ts';
import { adjustSeats } from './borrowing.ts';
import { byPrecedence, type FlowSchemaEntry, flowSchemaOf } from './flow-schema.ts';
import { Flows } from './flows.ts';
import { catchAllName, exemptName, type LevelSpec, levelSpecOf } from './level-spec.ts';
import { type LevelLimits, PriorityLevel } from './priority-level.ts';

type StoredSchema = Pick<KubernetesObject, 'metadata'> & FlowSchema;
type StoredLevel = Pick<KubernetesObject, 'metadata'> & PriorityLevelConfiguration;

/** A schema whose level exists. */
export interface PlacedSchema extends FlowSchemaEntry {
  readonly level: PriorityLevel;
  readonly classification: Classification;
  /** Undefined: its level has no queues. */
  readonly flows: Flows | undefined;
  readonly series: FlowSeries;
}

export interface FlowTableOptions {
  /** The seats of the server. */
  readonly totalSeats: number;
  readonly timing: QueueSetTiming;
  readonly observe: (level: string) => QueueSetObserver;
  readonly seriesOf: (level: string) => (schema: string) => FlowSeries;
}

/** The priority levels and schemas in force. */
export class FlowTable {
  readonly #options: FlowTableOptions;
  #levels = new Map<string, PriorityLevel>();
  #classifier: Classifier<PlacedSchema>;
  #nominalSum = 0;
  /** Undefined: there is one thread. */
  #shared: SharedSeats | undefined;
  fairFraction = 0;

  /** With the mandatory objects alone, until the stored ones are known. */
  constructor(options: FlowTableOptions) {
    this.#options = options;
    this.#classifier = this.#configured([], []);
  }

  /** From now on other threads take seats as well. */
  shareWith(seats: SharedSeats): void {
    this.#shared = seats;
    for (const level of this.#levels.values()) shareLevel(level, seats);
  }

  get levels(): ReadonlyMap<string, PriorityLevel> {
    return this.#levels;
  }

  classify(request: FlowRequest): PlacedSchema {
    return this.#classifier.classify(request);
  }

  /** Takes over stored objects. Levels that are gone stay until their requests have ended. */
  configure(schemas: readonly StoredSchema[], levels: readonly StoredLevel[]): void {
    this.#classifier = this.#configured(schemas, levels);
  }

  /** Divides the seats by the demand since the last time; returns whether there was any. */
  adjust(idlePeriods = 0): boolean {
    const levels = [...this.#levels.values()];
    // The first thread divides the seats for all.
    if (this.#shared?.isFirst === false) return levels.filter((level) => level.tellDemand()).length > 0;
    const busy = levels.filter((level) => level.closePeriod(idlePeriods));
    this.fairFraction = adjustSeats(levels, this.#nominalSum);
    return busy.length > 0;
  }

  #configured(schemas: readonly StoredSchema[], levels: readonly StoredLevel[]): Classifier<PlacedSchema> {
    const stored = new Map(levels.flatMap((object) => levelSpecOf(object) ?? []).map((spec) => [spec.name, spec]));
    const entries = schemas.map(flowSchemaOf).filter(({ levelName }) => stored.has(levelName));
    this.#levels = this.#replaced(stored);
    this.adjust();
    const names = new Set(entries.map(({ name }) => name));
    const missing = mandatorySchemas.filter(({ name }) => !names.has(name));
    const placed = [...entries, ...missing].toSorted(byPrecedence).flatMap((entry) => this.#placed(entry));
    const fallback = placed.find(({ name }) => name === catchAllName);
    if (fallback === undefined) throw new Error('there is no catch-all schema');
    return new Classifier(placed, fallback);
  }

  #placed(entry: FlowSchemaEntry): readonly PlacedSchema[] {
    const level = this.#levels.get(entry.levelName);
    if (level === undefined) return [];
    const { mode } = level.spec;
    const flows = typeof mode === 'string' ? undefined : new Flows(entry.name, mode);
    // A level with one queue does not tell flows apart.
    const distinguishes = typeof mode !== 'string' && mode.queues > 1;
    const classification = { schemaUid: entry.uid, levelUid: level.spec.uid };
    const series = this.#options.seriesOf(level.spec.name)(entry.name);
    return [{ ...entry, level, classification, flows, series, ...(distinguishes ? {} : { distinguish: () => '' }) }];
  }

  #replaced(stored: ReadonlyMap<string, LevelSpec>): Map<string, PriorityLevel> {
    const specs = new Map(stored);
    const quiescing = new Set<string>();
    for (const [name, { spec, queues }] of this.#levels) {
      if (specs.has(name)) continue;
      const isMandatory = name === exemptName || name === catchAllName;
      if (!isMandatory && queues.isIdle) continue;
      specs.set(name, spec);
      if (!isMandatory) quiescing.add(name);
    }
    for (const spec of mandatoryLevels) if (!specs.has(spec.name)) specs.set(spec.name, spec);
    const shareSum = [...specs.values()].reduce((sum, { shares }) => sum + shares, 0);
    const levels = new Map<string, PriorityLevel>();
    this.#nominalSum = 0;
    for (const [name, spec] of specs) {
      const limits = limitsOf(spec, { totalSeats: this.#options.totalSeats, shareSum });
      this.#nominalSum += limits.nominal;
      const level = this.#levels.get(name) ?? this.#made(spec, limits);
      Object.assign(level, { spec, limits, isQuiescing: quiescing.has(name) });
      levels.set(name, level);
    }
    return levels;
  }

  #made(spec: LevelSpec, limits: LevelLimits): PriorityLevel {
    const { timing, observe } = this.#options;
    const level = new PriorityLevel({ spec, limits, timing, observer: observe(spec.name) });
    if (this.#shared !== undefined) shareLevel(level, this.#shared);
    return level;
  }
}

function shareLevel(level: PriorityLevel, seats: SharedSeats): void {
  const pool = seats.poolOf(level.spec.name);
  if (pool !== undefined) level.shareWith(pool, seats.isFirst);
}

const mandatorySchemas = bootstrapFlowSchemas
  .filter(({ isMandatory }) => isMandatory)
  .map(({ object }) => flowSchemaOf(object));

const mandatoryLevels = bootstrapPriorityLevels
  .filter(({ isMandatory }) => isMandatory)
  .flatMap(({ object }) => levelSpecOf(object) ?? []);

/** Rounded up: no level with shares is without a seat. */
function limitsOf(
  { shares, lendablePercent, borrowingLimitPercent }: LevelSpec,
  { totalSeats, shareSum }: { readonly totalSeats: number; readonly shareSum: number },
): LevelLimits {
  const nominal = shareSum === 0 ? 0 : Math.ceil((totalSeats * shares) / shareSum);
  const lendable = Math.round((nominal * lendablePercent) / 100);
  const borrowable =
    borrowingLimitPercent === undefined ? totalSeats : Math.round((nominal * borrowingLimitPercent) / 100);
  return { nominal, min: nominal - lendable, max: nominal + borrowable };
}

/** The most seats that one request of the level may take; undefined: what the kind of request allows. */
export function maxSeatsOf({ spec: { mode }, limits: { nominal } }: PriorityLevel): number | undefined {
  if (typeof mode === 'string') return undefined;
  return Math.max(1, Math.min(Math.ceil(nominal * 0.15), Math.floor(nominal / mode.handSize)));
}
