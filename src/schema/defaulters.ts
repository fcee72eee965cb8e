import type { Clock } from '../api/time/clock.ts';
import type { JsonObject } from '../api/json/json.ts';

/**
 * Defaults of built-in types by definition name (`io.k8s.api.core.v1.Container`). `default.ts` walks an object along
 * its schema, parents before children, and calls the function of each named type it reaches. Defaults that are times
 * are read from the clock.
 */
export type Defaulters = {
  readonly [definition: string]: (value: JsonObject, clock: Clock) => void;
};
