import type { JsonObject } from '../api/json.ts';

/**
 * Defaults of built-in types, by definition name (`io.k8s.api.core.v1.Container`). The reader in `default.ts` walks an
 * object along its schema, parents before children, and calls what stands here for each named type it meets.
 */
export type Defaulters = {
  readonly [definition: string]: (value: JsonObject) => void;
};
