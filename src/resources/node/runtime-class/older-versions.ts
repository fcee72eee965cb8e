import { isJsonObject, type JsonObject } from '../../../api/json/json.ts';
import { renamed } from '../../parts/conversions/changed.ts';

/** v1alpha1 had these fields in a spec. */
export function runtimeClassFromAlpha1({ spec, ...others }: JsonObject): JsonObject {
  return { ...others, ...(isJsonObject(spec) ? renamed(spec, 'runtimeHandler', 'handler') : {}) };
}
