import { MapObject } from '../values/collections.ts';
import type { Pause } from './pause.ts';

/** An object whose fields are computed when they are first accessed. */
export abstract class LazyFields extends MapObject {
  /** Computes a field before it is accessed; undefined if this has not paused. */
  abstract prepare(field: string): Pause<undefined> | undefined;
}
