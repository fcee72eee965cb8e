import { keptBy } from '../../api/collections/kept-by.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import { type ResourceScope, servedNow } from '../../operations/resource-scope.ts';
import { listObjects, type ListRequest, type ListResult } from '../../registry/read/list.ts';
import { selectedName, type Selection } from '../../registry/read/selection.ts';
import type { StoreKind } from '../../registry/stored/store-kind.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import type { Form } from '../forms/form.ts';
import { areConverted, convertAnew, servedEntries, servedEvents, servedView } from '../forms/served-view.ts';
import { ServedEvents } from './served-events.ts';
import { servedList, servedObject } from './served-reads.ts';
import { SelectedEvents, selectServed, splitSelection } from './served-selection.ts';
import type { Notification, WatchStream } from './watch-stream.ts';

/** How verbs read the objects of a resource, and as what resource the results are shown. */
export interface Reads {
  /** The resource that shows entries, lists and events of these reads. */
  readonly shown: ResourceScope;
  /** A stored object that a client reads, and the resource that shows it. */
  object(
    store: StoreKind,
    read: { readonly found: CacheEntry; readonly resourceVersion: string },
  ): Soon<{ readonly scope: ResourceScope; readonly stored: CacheEntry }>;
  /** `listed` is called when the objects have been read. */
  list(store: StoreKind, request: ListRequest, listed: () => void): Promise<ListResult>;
  /** What is to be deleted: entries as they are stored. */
  listForDeletion(store: StoreKind, request: ListRequest): Promise<ListResult>;
  /** Stored entries as they are shown. */
  entries(stored: readonly CacheEntry[]): Soon<readonly CacheEntry[]>;
  /** An object of the stored version, in the version that a form of it shows. */
  decoded(object: KubernetesObject, form: Form): Soon<KubernetesObject>;
  watch(store: StoreKind, selection: Selection): WatchReads;
}

/** The events of one watch. */
export interface WatchReads {
  /** What is asked of stored objects. */
  readonly selection: Selection;
  /** Where events are pushed on their way to the stream. */
  line(stream: WatchStream): Pick<WatchStream, 'push'>;
  /** The initial events. */
  beginning(stored: Iterable<readonly Notification[]>): Iterable<Soon<readonly Notification[]>>;
}

/** The reads of a resource: of stored bytes, unless their conversion is asynchronous. */
export const readsOf = keptBy((scope: ResourceScope): Reads =>
  scope.conversion.waits ? convertedReads(scope) : storedReads(scope),
);

/** Stored bytes are shown, or converted while they are encoded. */
function storedReads(scope: ResourceScope): Reads {
  return {
    shown: scope,
    object: (_store, { found }) => ({ scope, stored: found }),
    async list(store, request, listed) {
      const result = await listObjects(store, request);
      listed();
      return result;
    },
    listForDeletion: listObjects,
    entries: (stored) => stored,
    decoded: (object, form) => (form.ofStoredVersion === true ? object : servedNow(scope, object)),
    watch: (_store, selection) => ({ selection, line: (stream) => stream, beginning: (stored) => stored }),
  };
}

/** Objects are converted in groups, and the results are shown like stored objects. */
function convertedReads(scope: ResourceScope): Reads {
  const shown = servedView(scope);
  return {
    shown,
    async object(store, read) {
      const served = await servedObject(scope, store, read);
      return served === undefined ? { scope, stored: read.found } : { scope: shown, stored: served };
    },
    async list(store, request, listed) {
      const { stored, served } = splitSelection(store, request.selection);
      const ofStored = { ...request, selection: stored };
      const found = await listObjects(store, ofStored);
      listed();
      return servedList(scope, store, { request: ofStored, result: await selectServed(scope, found, served) });
    },
    async listForDeletion(store, request) {
      const { stored, served } = splitSelection(store, request.selection);
      const list = (selection: Selection): Promise<ListResult> => listObjects(store, { ...request, selection });
      await convertUnlessKnown(scope, stored, list);
      return selectServed(scope, await list(stored), served);
    },
    entries: (stored) => servedEntries(scope, stored),
    decoded: (object) => scope.conversion.fromStored(object),
    watch(store, selection) {
      const { stored, served } = splitSelection(store, selection);
      const selected = served === undefined ? undefined : new SelectedEvents(served);
      return {
        selection: stored,
        line: (stream) => new ServedEvents(scope, stream, selected),
        beginning: (events) => eachServed(scope, events, selected),
      };
    },
  };
}

/**
 * What is deleted is read from the store, unless all of it has been converted before: then what is there has to be
 * converted, whatever labels and fields select from it. One object is always read from the store.
 */
async function convertUnlessKnown(
  scope: ResourceScope,
  selection: Selection,
  list: (selection: Selection) => Promise<ListResult>,
): Promise<void> {
  const isOne = selectedName(selection) !== undefined;
  const fields = isOne ? selection.fields.filter(({ field }) => field === 'metadata.name') : [];
  const { entries } = await list({ ...selection, labels: [], fields });
  if (isOne || !areConverted(scope, entries)) await convertAnew(scope, entries);
}

function* eachServed(
  scope: ResourceScope,
  beginning: Iterable<readonly Notification[]>,
  selected: SelectedEvents | undefined,
): Generator<Promise<readonly Notification[]>> {
  for (const events of beginning) {
    const served = servedEvents(scope, events);
    yield selected === undefined ? served : served.then((converted) => selected.select(converted));
  }
}
