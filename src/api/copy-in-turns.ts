import { copyJson, type JsonObject } from './json.ts';
import type { Work } from './turns.ts';

// oxlint-disable-next-line require-yield -- until its callers are plain
export function* copyInTurns(object: Readonly<JsonObject>): Work<JsonObject> {
  return copyJson(object as JsonObject);
}
