import { isJsonObject, type JsonObject } from '../../../api/json.ts';
import { renamed } from '../../parts/conversions/changed.ts';

/** What has been a specification. */
export function runtimeClassFromAlpha1({ spec, ...others }: JsonObject): JsonObject {
  return { ...others, ...(isJsonObject(spec) ? renamed(spec, 'runtimeHandler', 'handler') : {}) };
}
