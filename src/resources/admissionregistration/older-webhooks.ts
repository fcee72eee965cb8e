import type { JsonObject } from '../../api/json/json.ts';
import { eachOf } from '../parts/conversions/changed.ts';

/** The defaults that differ from v1. */
const defaultsOfBeta1: Readonly<JsonObject> = {
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  sideEffects: 'Unknown',
  timeoutSeconds: 30,
};

/** For both mutating and validating configurations. */
export function webhooksFromBeta1(configuration: JsonObject): JsonObject {
  return eachOf(configuration, 'webhooks', (webhook) => ({ ...defaultsOfBeta1, ...webhook }));
}
