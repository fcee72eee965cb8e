import { randomInt } from 'node:crypto';
import { deadlineIn, longestTimerMs } from '../../api/time/deadline.ts';
import { secondsSince } from '../../api/time/seconds-since.ts';
import { inSpan } from '../../api/contracts/span.ts';
import { StatusError } from '../../api/errors/status.ts';
import { resourceExpired } from '../../api/errors/status-errors.ts';
import { readSnapshot } from '../../registry/read/read.ts';
import { parseResourceVersion } from '../../registry/read/resource-version.ts';
import { type Selection, selectorOf, shardFilterOf } from '../../registry/read/selection.ts';
import { cacheSpan, tellFresh } from '../../registry/stored/traced-store.ts';
import type { StoreKind } from '../../registry/stored/store-kind.ts';
import { snapshotSource } from '../../registry/read/list-source.ts';
import { unreadableList } from '../../registry/stored/unreadable.ts';
import { keysOf, watchScope } from '../../registry/read/watch-scope.ts';
import type { WatchListScope, WatchUse } from '../../registry/stored/watch-use.ts';
import type { CacheSnapshot } from '../../watchcache/snapshots.ts';
import type { WatchScope } from '../../watchcache/watcher-index.ts';
import type { CacheSubscription, CacheWatchReceiver, CacheWatchRequest } from '../../watchcache/watch-cache.ts';
import { WatchExpiredError } from '../../watchcache/watch-expired-error.ts';
import { FlushedGzip, gzipHeaders } from '../transport/compression.ts';
import type { ResponseStream } from '../transport/exchange.ts';
import { refuseWithoutEvents } from '../negotiation/offers.ts';
import { type ListOptions, parseListOptions } from '../request/request-options.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { apiHeaders } from '../responses/respond.ts';
import { logWatch } from '../responses/logged-watch.ts';
import { readSelection } from '../request/selection.ts';
import { readsOf } from '../responses/reads.ts';
import { scheduleBookmarks } from '../responses/watch-bookmarks.ts';
import { beginStream } from '../responses/traced-response.ts';
import { Bookmark } from '../forms/bookmark.ts';
import { eventEncoder, eventsOf, failureEvent } from '../responses/event-encoder.ts';
import { type Notification, WatchStream } from '../responses/watch-stream.ts';

/** How long a watch waits for a cache that is still being filled. */
const readyWaitMs = 30_000;

/** GET of a collection, or of one object, with `watch`. */
export async function watch(received: ResourceRequest): Promise<void> {
  const reads = readsOf(received.scope);
  const request = { ...received, scope: reads.shown };
  const { context, features } = request;
  const options = parseListOptions(context.query, features);
  const store = storeOf(request);
  const { selection, ...events } = reads.watch(store, readSelection(request, options));
  const scope = watchScope(store, selection);
  const start = await startOf(request, { store, scope }, options);
  refuseWithoutEvents(context, request.format);
  const use = watchUse(received, store);
  const encoder = await eventEncoder(request);
  if (context.exchange.closed) return;
  const response = await openStream(request, options);
  if (response === undefined) return;
  if ('refused' in start) return refuse(request, response, { use, error: start.refused });
  const stream = new WatchStream(context.exchange, response, {
    encoder,
    onSent: (sizeBytes) => use.sent(sizeBytes),
    onTooSlow: () => store.cache().countCutOff(),
  });
  const steps = context.query.get('sendInitialEvents') === 'true' ? beginStream(context, request.format) : undefined;
  steps?.event('About to start writing response');
  const line = events.line(stream);
  const watched = { scope, ...filtersOf(store, selection) };
  const receiver: CacheWatchReceiver = {
    event: (event) => line.push(event),
    ended: (reason, deliveredRevision) => {
      const reached = Math.max(deliveredRevision, subscription.revision);
      if (reason === 'reset') endAt(reached, { start, line, options });
      stream.end();
    },
  };
  let subscription: CacheSubscription;
  try {
    subscription = store.cache().subscribe({ ...watched, afterRevision: start.afterRevision }, receiver);
    const listed = (): void => {
      steps?.event('Writing initial events done');
      use.listed(scopeOf(context), secondsSince(context.beganMs));
    };
    const beginning = withEnd(subscription, options, { listed, begun: () => context.seats?.end() });
    stream.begin(events.beginning(beginning));
    const knownRevision = start.afterRevision ?? subscription.revision;
    keepTime(request, options, { stream, line, subscription, knownRevision });
  } catch (error) {
    if (!(error instanceof WatchExpiredError)) throw error;
    steps?.end();
    const expired = resourceExpired(`too old resource version: ${error.requested} (${error.oldest})`);
    return refuse(request, response, { use, error: expired });
  }
  await stream.done;
  steps?.end();
}

/** A chunked response, or a WebSocket if the client asks for one. */
async function openStream(
  request: ResourceRequest,
  { sendInitialEvents, allowWatchBookmarks }: ListOptions,
): Promise<ResponseStream | undefined> {
  const { context } = request;
  const { exchange } = context;
  const { contentType, isText } = eventsOf(request);
  if (exchange.acceptWebSocket !== undefined) return exchange.acceptWebSocket(isText, 200);
  const headers = apiHeaders(context, contentType);
  const isList = sendInitialEvents === true && allowWatchBookmarks;
  return isList && context.compresses('watchLists')
    ? new FlushedGzip(exchange, exchange.start(200, gzipHeaders(headers)))
    : exchange.start(200, headers);
}

/** Clients watch on from here. They would list again if a watch ended at once and had told nothing. */
function endAt(
  reached: number,
  { start, line, options }: Pick<RunningWatch, 'line'> & { readonly start: Begun; readonly options: ListOptions },
): void {
  if (options.allowWatchBookmarks && reached >= (start.afterRevision ?? 0)) line.push(new Bookmark(reached));
}

interface RunningWatch {
  readonly stream: WatchStream;
  /** Where events and bookmarks are pushed. */
  readonly line: Pick<WatchStream, 'push'>;
  readonly subscription: CacheSubscription;
  /** Bookmarks up to this revision are redundant. */
  readonly knownRevision: number;
}

/** Schedules bookmarks, and the end of the watch. */
function keepTime(
  request: ResourceRequest,
  options: ListOptions,
  { stream, line, subscription, knownRevision }: RunningWatch,
): void {
  const timeoutMs = watchTimeoutMs(request, options);
  logWatch(request.context, options, timeoutMs);
  const cache = storeOf(request).cache();
  const timer = setTimeout(() => stream.end(), timeoutMs);
  const bookmark = async (): Promise<void> => {
    await cache.freshen();
    // Read and pushed in the same turn, so that no event comes in between.
    const revision = subscription.deliveredRevision;
    if (revision > knownRevision) line.push(new Bookmark(revision));
  };
  const stopBookmarks = options.allowWatchBookmarks ? scheduleBookmarks(timeoutMs, () => void bookmark()) : undefined;
  const { exchange, openWatches } = request.context;
  openWatches.add(stream);
  exchange.onClose(() => {
    openWatches.delete(stream);
    clearTimeout(timer);
    stopBookmarks?.();
    subscription.cancel();
  });
}

/** Adds the bookmark that ends the initial events, for clients that asked for both. */
function* withEnd(
  { beginning, revision }: CacheSubscription,
  { sendInitialEvents, allowWatchBookmarks }: ListOptions,
  { listed, begun }: { readonly listed: () => void; readonly begun: () => void },
): Generator<readonly Notification[]> {
  yield* beginning;
  // From here on the watch costs what the writes cost that it is told of.
  begun();
  if (sendInitialEvents !== true || !allowWatchBookmarks) return;
  yield [new Bookmark(revision, true)];
  listed();
}

/** The metrics of the version that the client asked for. */
function watchUse({ scope: { groupResource, resource } }: ResourceRequest, store: StoreKind): WatchUse {
  return store.watches({ ...groupResource, version: resource.version });
}

function scopeOf({ info: { name, selectedName, namespace } }: RequestContext): WatchListScope {
  if (name !== '' || selectedName !== '') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

function filtersOf(store: StoreKind, selection: Selection): Pick<CacheWatchRequest, 'selects' | 'inShard'> {
  const { readAttributes } = store.cache();
  const { shard: _shard, ...others } = selection;
  const selects = selectorOf(others, readAttributes);
  const inShard = shardFilterOf(selection, readAttributes);
  return { ...(selects === undefined ? {} : { selects }), ...(inShard === undefined ? {} : { inShard }) };
}

const deadlineExceeded = new StatusError({ code: 500, reason: 'InternalError', message: 'context deadline exceeded' });

/** Without a revision the watch begins with the state as ADDED events. */
interface Begun {
  readonly afterRevision: number | undefined;
}

/** A refusal is sent in the stream. */
type Start = Begun | { readonly refused: StatusError };

/*
 * | sendInitialEvents | no version          | 0                  | N                                |
 * |-------------------|---------------------|--------------------|----------------------------------|
 * | true              | the latest state    | any state          | a state not older than N         |
 * | absent            | the latest state    | any state          | changes after N                  |
 * | false             | changes from now on | changes from any   | changes after N                  |
 */
async function startOf(
  { context, scope: { groupResource } }: ResourceRequest,
  { store, scope }: { readonly store: StoreKind; readonly scope: WatchScope },
  { resourceVersion, sendInitialEvents, timeoutSeconds = 0 }: ListOptions,
): Promise<Start> {
  // A deadline already passed leaves no time to ask the store for its revision.
  if (timeoutSeconds < 0 && resourceVersion === '') return { refused: deadlineExceeded };
  const revision = resourceVersion === '' ? 0 : parseResourceVersion(resourceVersion);
  // A watch at an exact version only needs a cache that is ready.
  const freshness = resourceVersion === '' ? 'latest' : sendInitialEvents === true ? revision : 0;
  const deadlineMs = Math.min(context.deadlineMs, deadlineIn(readyWaitMs));
  try {
    const read = async (): Promise<CacheSnapshot> => {
      const snapshot = await readSnapshot(store, freshness, { resource: groupResource, deadlineMs });
      tellFresh('watch', true);
      return snapshot;
    };
    const span = cacheSpan('Watch', store);
    const reached = await (span === undefined ? read() : inSpan(span, read));
    if (sendInitialEvents !== true && revision > 0) return { afterRevision: Number(revision) };
    if (sendInitialEvents === false) return { afterRevision: reached.revision };
    // Without them, the state would tell that they are gone.
    const unreadable = snapshotSource(reached).unreadable(...keysOf(scope, store));
    if (unreadable.length > 0) throw unreadableList(store, groupResource, unreadable);
    return { afterRevision: undefined };
  } catch (error) {
    if (error instanceof StatusError && error.status.reason === 'Timeout') return { refused: error };
    throw error;
  }
}

function watchTimeoutMs({ limits }: ResourceRequest, { timeoutSeconds }: ListOptions): number {
  if (timeoutSeconds !== undefined && timeoutSeconds !== 0) {
    return Math.min(Math.max(1, timeoutSeconds * 1000), longestTimerMs);
  }
  return Math.min(limits.minWatchTimeoutMs + randomInt(Math.max(1, limits.minWatchTimeoutMs)), longestTimerMs);
}

/** A watch that cannot start where requested gets an ERROR event. */
function refuse(
  request: ResourceRequest,
  response: ResponseStream,
  { use, error }: { readonly use: WatchUse; readonly error: StatusError },
): void {
  const event = failureEvent(request, error.status);
  response.write(event);
  response.end();
  use.sent(event.length);
}
