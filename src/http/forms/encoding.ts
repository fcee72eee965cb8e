import type { Soon } from '../../api/soon.ts';
import type { Document } from '../../codec/document.ts';
import type { Serializer, FormatOptions } from '../../codec/serializer.ts';
import type { StoredObject } from '../../registry/stored-object.ts';
import type { Resource } from '../../schema/resource.ts';
import type { WatchEvent } from '../../watchcache/cache-event.ts';
import type { ListLayout } from './list-chunks.ts';
import type { ShownList } from './shown-list.ts';

/**
 * How bodies are read and answers written in one media type: one half of a wire form, of which the other is what is shown
 * (`Form`). The serializer is enough; the rest saves work where it can be saved.
 */
export interface Encoding {
  readonly serializer: Serializer;
  /** The feature gate without which the server does not know the media type. */
  readonly gate?: string;
  /** Whether it writes only what has a Go type in the reference: of custom kinds not the objects, but what they are turned into. */
  readonly typedOnly?: boolean;
  /** The media type of an apply patch in it. */
  readonly applyType?: string;
  /** A stored object without reading it; undefined when it must be read. */
  stored?(stored: StoredObject, resource: Resource, writing: Writing): Soon<Uint8Array> | undefined;
  /** A list that is sent while it is made; undefined when it must be written whole. */
  list?(source: ShownList, writing: Writing): Soon<ListLayout> | undefined;
  /** Absent: there are no watches in it. */
  readonly events?: EventEncoding;
}

/** How the events of a watch are written. */
export interface EventEncoding {
  /** What a stream of them calls itself. */
  readonly contentType: string;
  /** What errors call it. */
  readonly name: string;
  /** Whether events are text, which WebSockets tell apart. */
  readonly isText: boolean;
  /** So many watches that ask alike are sent different bytes, where the order of fields is chance; absent: all are sent the same. */
  readonly variants?: number;
  /** One event around what is shown of an object. */
  write(type: string, document: Document, writing: Writing): Uint8Array;
  /** An event around a stored object, without reading that. */
  stored?(event: WatchEvent, resource: Resource, writing: Writing): Uint8Array;
}

/** What an answer is written for. */
export interface Writing extends FormatOptions {
  /** Indented for people. */
  readonly pretty: boolean;
  /** Each event travels in a message of its own, as over a WebSocket. */
  readonly inMessages: boolean;
}
