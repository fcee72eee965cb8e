import { randomInt } from 'node:crypto';
import { type FieldError, forbiddenField } from '../../api/field-error.ts';
import { encodeRaw } from '../../api/json-text.ts';
import { type Status, statusObject } from '../../api/status.ts';
import { invalid, resourceExpired } from '../../api/status-errors.ts';
import { parseResourceVersion, readSnapshot } from '../../registry/read.ts';
import { type Selection, selectedName, selectorOf } from '../../registry/selection.ts';
import { objectKey, type StoreKind } from '../../registry/store-kind.ts';
import type { WatchEvent } from '../../watchcache/cache-event.ts';
import { WatchExpiredError } from '../../watchcache/watch-cache.ts';
import type { WatchScope } from '../../watchcache/watcher-index.ts';
import type { ResponseStream } from '../exchange.ts';
import { type ListOptions, parseListOptions } from '../request-options.ts';
import { type ResourceRequest, storeOf } from '../resource-request.ts';
import { apiHeaders } from '../respond.ts';
import { readSelection } from '../selection.ts';
import { eventEncoder } from '../watch-frame.ts';
import { WatchStream } from '../watch-stream.ts';

/** GET of a collection, or of one object, with `watch`. */
export async function watch(request: ResourceRequest): Promise<void> {
  const { context, format } = request;
  const options = parseListOptions(context.query, true);
  refuseInitialEvents(options);
  const store = storeOf(request);
  const selection = readSelection(request, options);
  const afterRevision = await startRevision(request, store, options);
  const encode = await eventEncoder(request);
  if (context.exchange.closed) return;
  context.responseCode = 200;
  const response = context.exchange.start(200, apiHeaders(context, format.mediaType));
  const stream = new WatchStream(context.exchange, response, encode);
  try {
    const cancel = store.cache().watch(
      {
        scope: watchScope(store, selection),
        afterRevision,
        ...optionalSelector(store, selection),
      },
      { event: (event: WatchEvent) => stream.push(event), ended: () => stream.end() },
    );
    const timer = setTimeout(() => stream.end(), watchTimeoutMs(request, options));
    context.exchange.onClose(() => {
      clearTimeout(timer);
      cancel();
    });
  } catch (error) {
    endWithError(response, error);
  }
  await stream.done;
}

function optionalSelector(
  store: StoreKind,
  selection: Selection,
): { readonly selects?: NonNullable<ReturnType<typeof selectorOf>> } {
  const selects = selectorOf(selection, store.cache().readAttributes);
  return selects === undefined ? {} : { selects };
}

/** Streams that begin with the whole state and a bookmark are told so by the feature gate's own refusal: clients then list. */
function refuseInitialEvents({ sendInitialEvents }: ListOptions): void {
  if (sendInitialEvents === undefined) return;
  const error: FieldError = forbiddenField(
    'sendInitialEvents',
    'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
  );
  throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [error]);
}

/** Undefined: the watch begins with the state as ADDED events. */
async function startRevision(
  { context, scope }: ResourceRequest,
  store: StoreKind,
  options: ListOptions,
): Promise<number | undefined> {
  const { resourceVersion } = options;
  const revision = resourceVersion === '' ? 0 : parseResourceVersion(resourceVersion);
  const untilMs = Math.min(context.deadlineMs, store.clock.now() + 30_000);
  // A watch at an exact version needs a cache that serves, no more.
  await readSnapshot(store, {
    resourceVersion: resourceVersion === '' ? '' : '0',
    resource: scope.groupResource,
    deadlineMs: untilMs,
  });
  return revision === 0 ? undefined : revision;
}

function watchScope(store: StoreKind, selection: Selection): WatchScope {
  const name = selectedName(selection);
  if (name !== undefined && (selection.namespace !== '' || !store.resource.namespaced)) {
    return { kind: 'key', key: objectKey(store, selection.namespace, name) };
  }
  if (selection.namespace === '' || !store.resource.namespaced) return { kind: 'all' };
  return { kind: 'prefix', prefix: `${store.keyPrefix}${selection.namespace}/` };
}

function watchTimeoutMs({ limits }: ResourceRequest, { timeoutSeconds }: ListOptions): number {
  const maxTimerMs = 2 ** 31 - 1;
  if (timeoutSeconds !== undefined && timeoutSeconds > 0) return Math.min(timeoutSeconds * 1000, maxTimerMs);
  return Math.min(limits.minWatchTimeoutMs + randomInt(Math.max(1, limits.minWatchTimeoutMs)), maxTimerMs);
}

/** A watch that cannot begin where it was asked to is told so in the stream. */
function endWithError(response: ResponseStream, error: unknown): void {
  if (!(error instanceof WatchExpiredError)) throw error;
  const { status } = resourceExpired(`too old resource version: ${error.requested} (${error.oldest})`);
  response.write(errorFrame(status));
  response.end();
}

function errorFrame(status: Status): string {
  return `{"type":"ERROR","object":${encodeRaw(statusObject(status))}}\n`;
}
