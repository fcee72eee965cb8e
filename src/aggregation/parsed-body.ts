import type { JsonValue } from '../api/json/json.ts';
import { TimeSlice } from '../api/scheduling/time-slice.ts';
import { parseJson } from '../codec/json.ts';
import type { CallResponse } from '../outgoing/http-call.ts';

/** What is made of more bytes takes a time slice of its own. */
const largeBytes = 64 * 1024;

/** The body of a response, parsed when it has arrived, and given in the next time slice if it is large. */
export async function parsedBody({ body }: CallResponse, maxObjects?: number): Promise<JsonValue> {
  const { value } = parseJson(body, maxObjects);
  if (body.length > largeBytes) await new TimeSlice().next();
  return value;
}
