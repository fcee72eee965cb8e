import { secondsSince } from '../../api/seconds-since.ts';
import type { Soon } from '../../api/soon.ts';
import { reducedError } from './reduced-error.ts';
import {
  beginsWith,
  EncryptionError,
  type OpenedValue,
  type ValuePlace,
  type ValueTransformer,
} from './transformer.ts';

/** A transformer of the values that begin with `prefix`; empty: of all that are not encrypted. */
export interface PrefixedTransformer {
  readonly prefix: string;
  readonly transformer: ValueTransformer;
}

/** Counts transformations. Must not throw. */
export interface TransformationUse {
  transformed(what: Transformation, seconds: number, error?: unknown): void;
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

interface Row extends PrefixedTransformer {
  readonly start: Buffer;
}

interface Reading {
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
    this.#rows = rows.map((row) => ({ ...row, start: Buffer.from(row.prefix) }));
    this.#unmatched = unmatched;
    this.#use = use;
  }

  read(stored: Uint8Array, place: ValuePlace): Soon<OpenedValue> {
    return this.#readFrom(0, { stored, place, beganMs: performance.now(), errors: [] });
  }

  write(value: Uint8Array, place: ValuePlace): Soon<readonly Uint8Array[]> {
    const [row] = this.#rows;
    if (row === undefined) throw new EncryptionError(this.#unmatched);
    const beganMs = performance.now();
    const what: Transformation = { resource: place.resource, type: 'to_storage', prefix: row.prefix };
    const failed = (error: unknown): never => {
      this.#use.transformed(what, secondsSince(beganMs), error);
      throw error;
    };
    const written = (pieces: readonly Uint8Array[]): readonly Uint8Array[] => {
      this.#use.transformed(what, secondsSince(beganMs));
      return row.start.length === 0 ? pieces : [row.start, ...pieces];
    };
    let pieces: Soon<readonly Uint8Array[]>;
    try {
      pieces = row.transformer.write(value, place);
    } catch (error) {
      return failed(error);
    }
    return pieces instanceof Promise ? pieces.then(written, failed) : written(pieces);
  }

  #readFrom(first: number, reading: Reading): Soon<OpenedValue> {
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
      if (!(opened instanceof Promise)) return this.#opened(index, reading, opened);
      return opened.then(
        (value) => this.#opened(index, reading, value),
        (error: unknown) => {
          this.#failed(row, reading, error);
          return this.#readFrom(index + 1, reading);
        },
      );
    }
    throw this.#unreadable(reading);
  }

  #opened(index: number, reading: Reading, { value, stale }: OpenedValue): OpenedValue {
    this.#tell(this.#rows[index]?.prefix ?? '', reading);
    return { value, stale: stale || index > 0 };
  }

  /** Another one may have the key. That an encrypted value is not a plain one is no failure. */
  #failed({ prefix }: Row, reading: Reading, error: unknown): void {
    if (prefix === '') return;
    this.#tell(prefix, reading, error);
    reading.errors.push(error);
  }

  #unreadable(reading: Reading): unknown {
    if (reading.errors.length > 0) return reducedError(reading.errors);
    const error = new EncryptionError(this.#unmatched);
    this.#tell('unknown', reading, error);
    return error;
  }

  #tell(prefix: string, { place, beganMs }: Reading, error?: unknown): void {
    const what: Transformation = {
      resource: place.resource,
      type: 'from_storage',
      prefix: prefix === '' ? 'identity' : prefix,
    };
    this.#use.transformed(what, secondsSince(beganMs), error);
  }
}
