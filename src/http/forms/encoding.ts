import type { Soon } from '../../api/scheduling/soon.ts';
import type { Document } from '../../codec/document.ts';
import type { Serializer, FormatOptions } from '../../codec/serializer.ts';
import type { StoredObject } from '../../registry/stored/stored-object.ts';
import type { Resource } from '../../schema/resource.ts';
import type { WatchEvent } from '../../watchcache/cache-event.ts';
import type { ListLayout } from './list-chunks.ts';
import type { ShownList } from './shown-list.ts';

/**
 * Reads and writes one media type: one half of a wire form. The other half, what is shown, is a `Form`. Only the
 * serializer is required; the other members are shortcuts.
 */
export interface Encoding {
  readonly serializer: Serializer;
  /** The feature gate that enables the media type. */
  readonly gate?: string;
  /**
   * Whether it needs Go types in the reference: custom resources are unavailable in it, except in converted forms such
   * as Tables.
   */
  readonly typedOnly?: boolean;
  /** Whether the watch cache keeps what `stored` returns. */
  readonly isKept?: boolean;
  /** The media type of apply patches in this encoding. */
  readonly applyType?: string;
  /** Encodes a stored object without decoding it; undefined when it must be decoded. */
  stored?(stored: StoredObject, resource: Resource, writing: Writing): Soon<Uint8Array> | undefined;
  /** The layout of a list sent item by item; undefined when it must be written whole. */
  list?(source: ShownList, writing: Writing): Soon<ListLayout> | undefined;
  /** Absent if watches are not supported. */
  readonly events?: EventEncoding;
}

/** The encoding of watch events. */
export interface EventEncoding {
  /** The Content-Type of the stream. */
  readonly contentType: string;
  /** The name in errors. */
  readonly name: string;
  /** Whether events are text: WebSockets distinguish text and binary messages. */
  readonly isText: boolean;
  /**
   * So many watches that ask alike are sent different bytes, where the order of fields is chance; absent: all are sent
   * the same.
   */
  readonly variants?: number;
  /** One event around what is shown of an object. */
  write(type: string, document: Document, writing: Writing): Uint8Array;
  /** One event with a stored object, without decoding it. */
  stored?(event: WatchEvent, resource: Resource, writing: Writing): Uint8Array;
}

/** Encoding parameters of one response. */
export interface Writing extends FormatOptions {
  /** Indented for people. */
  readonly pretty: boolean;
  /** Each event is a message of its own, as over a WebSocket. */
  readonly inMessages: boolean;
}
