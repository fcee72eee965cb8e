import { perKey } from '../../api/collections/per-key.ts';
import { secondsSince } from '../../api/time/seconds-since.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import { reducedError } from './reduced-error.ts';
import {
  beginsWith,
  type EncryptedPieces,
  EncryptionError,
  type OpenedValue,
  type ValuePlace,
  type ValueTransformer,
  withOwn,
} from './transformer.ts';

/** A transformer of the values that begin with `prefix`; empty: of all that are not encrypted. */
export interface PrefixedTransformer {
  readonly prefix: string;
  readonly transformer: ValueTransformer;
}

/** Counts transformations. Must not throw. */
export interface TransformationUse {
  /** Returns how to count those that succeed, of one kind: asked for once. */
  counterOf(what: Transformation): (seconds: number) => void;
  failed(what: Transformation, error: unknown): void;
}

export interface Transformation {
  readonly resource: string;
  readonly type: 'from_storage' | 'to_storage';
  readonly prefix: string;
}

export interface PrefixedOptions {
  /** The first one writes. */
  readonly rows: readonly PrefixedTransformer[];
  /** The error for a value with none of the prefixes. */
  readonly unmatched: string;
  readonly use: TransformationUse;
}

/** By resource. */
type Counters = (resource: string) => (seconds: number) => void;

interface Row extends PrefixedTransformer {
  readonly start: Buffer;
  readonly isFirst: boolean;
  readonly reads: Counters;
  readonly writes: Counters;
}

interface PendingRead {
  readonly stored: Uint8Array;
  readonly place: ValuePlace;
  readonly beganMs: number;
  readonly errors: unknown[];
}

/**
 * Several transformers, each with a prefix that its values begin with. Values are read by the first one that can, which
 * allows for several with the same prefix, and written by the first one: those of the others are stale.
 */
export class PrefixedTransformers implements ValueTransformer {
  readonly #rows: readonly Row[];
  readonly #unmatched: string;
  readonly #use: TransformationUse;

  constructor({ rows, unmatched, use }: PrefixedOptions) {
    this.#rows = rows.map((row, index) => ({
      ...row,
      isFirst: index === 0,
      start: Buffer.from(row.prefix),
      reads: perKey((resource) => use.counterOf({ resource, type: 'from_storage', prefix: shownPrefix(row) })),
      writes: perKey((resource) => use.counterOf({ resource, type: 'to_storage', prefix: row.prefix })),
    }));
    this.#unmatched = unmatched;
    this.#use = use;
  }

  read(stored: Uint8Array, place: ValuePlace): Soon<OpenedValue> {
    return this.#readFrom(0, { stored, place, beganMs: performance.now(), errors: [] });
  }

  write(value: Uint8Array, place: ValuePlace): Soon<EncryptedPieces> {
    const [row] = this.#rows;
    if (row === undefined) throw new EncryptionError(this.#unmatched);
    const beganMs = performance.now();
    const failed = (error: unknown): never => {
      this.#use.failed({ resource: place.resource, type: 'to_storage', prefix: row.prefix }, error);
      throw error;
    };
    const written = (pieces: EncryptedPieces): EncryptedPieces => {
      row.writes(place.resource)(secondsSince(beganMs));
      return row.start.length === 0 ? pieces : withOwn([row.start, ...pieces], pieces.own);
    };
    let pieces: Soon<EncryptedPieces>;
    try {
      pieces = row.transformer.write(value, place);
    } catch (error) {
      return failed(error);
    }
    return pieces instanceof Promise ? pieces.then(written, failed) : written(pieces);
  }

  #readFrom(first: number, reading: PendingRead): Soon<OpenedValue> {
    const { stored, place } = reading;
    for (let index = first; index < this.#rows.length; index++) {
      const row = this.#rows[index];
      if (row === undefined || !beginsWith(stored, row.start)) continue;
      let opened: Soon<OpenedValue>;
      try {
        opened = row.transformer.read(stored.subarray(row.start.length), place);
      } catch (error) {
        this.#failed(row, reading, error);
        continue;
      }
      if (!(opened instanceof Promise)) return openedBy(row, reading, opened);
      return opened.then(
        (value) => openedBy(row, reading, value),
        (error: unknown) => {
          this.#failed(row, reading, error);
          return this.#readFrom(index + 1, reading);
        },
      );
    }
    throw this.#unreadable(reading);
  }

  /** Another one may have the key. That an encrypted value is not a plain one is no failure. */
  #failed({ prefix }: Row, reading: PendingRead, error: unknown): void {
    if (prefix === '') return;
    this.#tellFailure(prefix, reading, error);
    reading.errors.push(error);
  }

  #unreadable(reading: PendingRead): unknown {
    if (reading.errors.length > 0) return reducedError(reading.errors);
    const error = new EncryptionError(this.#unmatched);
    this.#tellFailure('unknown', reading, error);
    return error;
  }

  #tellFailure(prefix: string, { place: { resource } }: PendingRead, error: unknown): void {
    this.#use.failed({ resource, type: 'from_storage', prefix }, error);
  }
}

function openedBy(
  { isFirst, reads }: Row,
  { place, beganMs }: PendingRead,
  { value, stale }: OpenedValue,
): OpenedValue {
  reads(place.resource)(secondsSince(beganMs));
  return { value, stale: stale || !isFirst };
}

/** What metrics call it. */
function shownPrefix({ prefix }: PrefixedTransformer): string {
  return prefix === '' ? 'identity' : prefix;
}
