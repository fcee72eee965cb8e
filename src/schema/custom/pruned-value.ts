import type { JsonValue } from '../../api/json/json.ts';
import { decodedPart } from '../decode.ts';
import type { Schema } from '../schema.ts';
import { type FreeParts, freeValue } from './free-value.ts';

export interface Pruning extends Pick<FreeParts, 'keepsNulls'> {
  /** Called for a kind, version or metadata of another type in an object within the object; by default they stay. */
  readonly mismatch?: () => void;
}

/**
 * Prunes a value without reporting. The metadata of the object stay unchanged, those of objects within it lose what is
 * no metadata.
 */
export function prunedValue(
  schema: Schema,
  value: JsonValue,
  { keepsNulls = false, mismatch }: Pruning = {},
): JsonValue {
  const parts: FreeParts = {
    keepsNulls,
    known(part, inner, _key, container) {
      if (part.definition !== undefined) return freeValue(part, inner, parts);
      if (container.embeddedResource !== true) return inner;
      const fitting = decodedPart(part, inner);
      if (fitting === undefined && !(inner === '' && part.type === 'string')) mismatch?.();
      return fitting ?? inner;
    },
    unknown: () => undefined,
  };
  return freeValue(schema, value, parts);
}
