import type { Clock } from '../../api/time/clock.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import type { Document } from '../../codec/document.ts';
import type { ResourceScope, ServedKind } from '../../operations/resource-scope.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import type { Bookmark } from './bookmark.ts';
import type { ListMeta } from './list-meta.ts';
import type { ShownList } from './shown-list.ts';

/** What is shown of objects: themselves, their metadata, a Table. The other half of a wire form is the `Encoding`. */
export interface Form {
  /** The Accept parameters that select the form; absent for the object itself. */
  readonly requested?: { readonly as: string; readonly group: string; readonly versions: readonly string[] };
  /** The media types that the form supports; absent: all. */
  readonly mediaTypes?: readonly string[];
  /** Only for kinds that print as Tables. */
  readonly printedOnly?: boolean;
  /** Made from objects in the storage version, whatever version was requested: no asynchronous conversion is needed. */
  readonly ofStoredVersion?: boolean;
  /** What is decoded of an object to show it; absent: all. */
  readonly shows?: 'metadata';
  /** One object. Throws a StatusError for forms of lists only. */
  object(requested: FormRequest, object: KubernetesObject, served: ServedKind): Soon<Document>;
  /**
   * A list, item by item; undefined if items depend on each other. Throws a StatusError for forms of single objects
   * only.
   */
  list(requested: FormRequest, listed: Listed): Soon<ShownList | undefined>;
  /** A list as a whole. Objects are in the storage version; if they are many, others run in between. */
  whole(requested: FormRequest, list: ListMeta, objects: ListedObjects): Soon<Document>;
  /** The events of a watch. */
  events(requested: FormRequest): Soon<EventForm>;
}

/** Objects of a list, one after the other. */
export type ListedObjects = AsyncIterable<KubernetesObject> | Iterable<KubernetesObject>;

/** The request that something is shown for. */
export interface FormRequest {
  readonly context: { readonly query: URLSearchParams; readonly clock: Clock };
  readonly scope: ResourceScope;
  readonly format: { readonly version: string };
}

export interface Listed {
  readonly list: ListMeta;
  readonly entries: readonly CacheEntry[];
}

/** How one watch shows objects. */
export interface EventForm {
  /** Whether all requests for the same representation get the same result. */
  readonly isShared: boolean;
  /** Takes an object in the storage version. */
  object(object: KubernetesObject): Document;
  bookmark(bookmark: Bookmark): Document;
}
