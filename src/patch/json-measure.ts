import { isJsonObject, type JsonValue } from '../api/json/json.ts';
import { numberText, quoteJson } from '../api/json/json-text.ts';

export interface JsonLimits {
  readonly maxDepth: number;
  /** Absent: bytes are not counted. */
  readonly maxBytes?: number;
}

export interface JsonMeasure {
  /** Length of the JSON, as far as counted. */
  readonly bytes: number;
  readonly fits: boolean;
}

/**
 * Whether a value is within the limits. Stops as soon as it is not, and is iterative: a value may be too deep for
 * recursion.
 */
export function measureJson(root: JsonValue, { maxDepth, maxBytes }: JsonLimits): JsonMeasure {
  let bytes = 0;
  let level: JsonValue[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: JsonValue[] = [];
    for (const value of level) {
      if (maxBytes !== undefined) bytes += ownBytes(value);
      if (bytes > (maxBytes ?? 0) || depth > maxDepth) return { bytes, fits: false };
      if (typeof value !== 'object' || value === null) continue;
      for (const item of Array.isArray(value) ? value : Object.values(value)) {
        if (maxBytes !== undefined || typeof item === 'object') below.push(item);
      }
    }
    level = below;
  }
  return { bytes, fits: true };
}

/** Bytes of a value without its children. */
function ownBytes(value: JsonValue): number {
  if (typeof value === 'string') return Buffer.byteLength(quoteJson(value));
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value).length;
  if (typeof value === 'boolean') return value ? 4 : 5;
  if (value === null) return 4;
  if (!isJsonObject(value)) return 1 + Math.max(1, value.length);
  const keys = Object.keys(value);
  return keys.reduce((bytes, key) => bytes + Buffer.byteLength(quoteJson(key)) + 1, 1 + Math.max(1, keys.length));
}
