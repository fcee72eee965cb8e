import type { Clock } from '../../api/clock.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { Soon } from '../../api/soon.ts';
import type { Document } from '../../codec/document.ts';
import type { ResourceScope, ServedKind } from '../../operations/resource-scope.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import type { Bookmark } from './bookmark.ts';
import type { ListMeta } from './list-meta.ts';
import type { ShownList } from './shown-list.ts';

/** What is shown of objects: themselves, their metadata, a Table. The other half of a wire form is its `Encoding`. */
export interface Form {
  /** The parameters of a media range that ask for it; absent for the objects themselves. */
  readonly asked?: { readonly as: string; readonly group: string; readonly versions: readonly string[] };
  /** The media types in which it can be had; all where absent. */
  readonly mediaTypes?: readonly string[];
  /** Whether only kinds that print as Tables have it. */
  readonly printedOnly?: boolean;
  /** Whether it shows objects of the stored version, whatever version was asked for: conversions that wait come before it. */
  readonly ofStoredVersion?: boolean;
  /** One object. Throws a StatusError where the form is one of lists. */
  object(asked: Asked, object: KubernetesObject, served: ServedKind): Soon<Document>;
  /** A list, item by item; undefined where items depend on each other. Throws a StatusError where the form is one of objects. */
  list(asked: Asked, listed: Listed): Soon<ShownList | undefined>;
  /** A list as a whole. Objects are of the stored version. */
  whole(asked: Asked, list: ListMeta, objects: readonly KubernetesObject[]): Soon<Document>;
  /** What a watch shows. */
  events(asked: Asked): Soon<EventForm>;
}

/** For whom something is shown. */
export interface Asked {
  readonly context: { readonly query: URLSearchParams; readonly clock: Clock };
  readonly scope: ResourceScope;
  readonly format: { readonly version: string };
}

export interface Listed {
  readonly list: ListMeta;
  readonly entries: readonly CacheEntry[];
}

/** What one watch shows. */
export interface EventForm {
  /** Whether all who ask alike are shown the same. */
  readonly isShared: boolean;
  /** Of an object of the stored version. */
  object(object: KubernetesObject): Document;
  bookmark(bookmark: Bookmark): Document;
}
