import type { ClientWatchEvent } from '../api/client/client.ts';
import { isJsonObject, type JsonValue } from '../api/json/json.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { bodyOf } from './response-body.ts';
import { CallError } from './call-error.ts';
import type { OpenResponse } from './http-call.ts';
import { jsonLines } from './json-lines.ts';
import { refusalOf, refusalOfEvent } from './refused-call.ts';

export interface WatchEventsOptions {
  /** Ends the exchange. */
  readonly signal: AbortSignal;
  /** Limit of an event. */
  readonly maxBytes: number;
}

/** An event of a watch; bookmarks only tell a resource version. */
export interface SentEvent {
  readonly type: ClientWatchEvent['type'] | 'BOOKMARK';
  readonly object: KubernetesObject;
}

/** A watch ends after so long, so that one whose server is gone without a word does not last. */
const watchSeconds = { least: 300, most: 600 };

/** The query of a watch. */
export function watchQuery(resourceVersion: string): { readonly [name: string]: string } {
  const { least, most } = watchSeconds;
  const seconds = Math.round(least + Math.random() * (most - least));
  return { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: String(seconds), resourceVersion };
}

/** The events of a response, until it ends. Throws errors of the server, in its status or among the events. */
export async function* watchEvents(
  { request, response }: OpenResponse,
  { signal, maxBytes }: WatchEventsOptions,
): AsyncGenerator<SentEvent> {
  const { status } = response;
  if (status !== 200) {
    const body = await bodyOf(response, { maxBytes, request });
    const refusal = refusalOf({ status, header: (name) => response.header(name), body });
    throw refusal ?? new CallError(`unexpected status ${status}`);
  }
  try {
    for await (const event of jsonLines(response.body, maxBytes)) yield eventOf(event);
    const failure = response.failure();
    if (failure !== undefined) throw failure;
  } catch (error) {
    if (!signal.aborted) throw response.failure() ?? error;
  } finally {
    request.leave();
  }
}

function eventOf(event: JsonValue): SentEvent {
  const { type = '', object = null } = isJsonObject(event) ? event : {};
  if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED' || type === 'BOOKMARK') {
    return { type, object: objectOf(object) };
  }
  throw type === 'ERROR' ? refusalOfEvent(object) : new CallError('the response is not a watch');
}

/** An object of another server, of which only the metadata is known to be one. Throws a CallError. */
export function objectOf(value: JsonValue): KubernetesObject {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'] ?? null)) {
    throw new CallError('the response is not an object with metadata');
  }
  return value as KubernetesObject;
}
