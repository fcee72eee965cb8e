import { randomInt } from 'node:crypto';
import type { Status } from '../../api/errors/status.ts';
import { storedJson } from '../../registry/stored/stored-object.ts';
import type { WatchEvent } from '../../watchcache/cache-event.ts';
import { Bookmark } from '../forms/bookmark.ts';
import type { EventEncoding } from '../forms/encoding.ts';
import type { EventForm } from '../forms/form.ts';
import { codecOf, showsStored } from '../forms/shown-list.ts';
import { objectForm } from '../forms/object-form.ts';
import { type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { Frame, framePages } from './event-frames.ts';
import { statusDocument } from './respond.ts';
import type { EventEncoder } from './watch-stream.ts';
import { ResponseWriting } from './writing.ts';

/**
 * Watch events on the wire: `{"type":"ADDED","object":{...}}` and a newline, or the equivalent in the negotiated media
 * type.
 */
export async function eventEncoder(request: ResourceRequest): Promise<EventEncoder> {
  const { format, context } = request;
  const shown = await format.form.events(request);
  const name = shown.isShared ? frameName(request) : undefined;
  const encode = encoderOf(request, shown, name);
  const events = eventsOf(request);
  const writing = new ResponseWriting(context, format);
  return {
    frame: (event) =>
      event instanceof Bookmark ? new Frame(events.write('BOOKMARK', shown.bookmark(event), writing)) : encode(event),
    pages: name === undefined ? undefined : framePages(storeOf(request), name),
  };
}

/** An ERROR event; the last of its watch. */
export function failureEvent(request: ResourceRequest, status: Status): Uint8Array {
  const { context, format } = request;
  return eventsOf(request).write('ERROR', statusDocument(status), new ResponseWriting(context, format));
}

/** Negotiation has made sure that the encoding supports watches. */
export function eventsOf({ format: { encoding } }: ResourceRequest): EventEncoding {
  if (encoding.events === undefined) throw new Error(`${encoding.serializer.mediaType} does not support watches`);
  return encoding.events;
}

function encoderOf(request: ResourceRequest, shown: EventForm, name: string | undefined): (event: WatchEvent) => Frame {
  const write = encoderOfObjects(request, shown);
  const encode = (event: WatchEvent): Frame => new Frame(write(event));
  return name === undefined ? encode : (event) => event.frame(name, encode);
}

/** Objects may be shown as they are stored: all, or those that are stored in the version of the request. */
function encoderOfObjects(request: ResourceRequest, shown: EventForm): (event: WatchEvent) => Uint8Array {
  const { scope, format } = request;
  if (format.form !== objectForm) return decodedEncoder(request, shown);
  if (scope.conversion.servesStoredVersion) return storedEncoder(request);
  const decoded = decodedEncoder(request, shown);
  if (scope.store?.codec.seen === undefined) return decoded;
  const stored = storedEncoder(request);
  return (event) => (showsStored(scope, event.entry) ? stored(event) : decoded(event));
}

/** The cache key of frames shared by all clients that asked for the same representation. */
function frameName(request: ResourceRequest): string {
  const { scope, format, context } = request;
  const { group, version } = scope.resource;
  const transport = context.exchange.acceptWebSocket === undefined ? 'stream' : 'messages';
  const { encoding, form } = format;
  const { variants = 1 } = eventsOf(request);
  const variant = variants === 1 ? '' : `/${randomInt(variants)}`;
  return `${transport}/${encoding.serializer.mediaType}/${form.requested?.as}/${format.version}/${group}/${version}${variant}`;
}

function storedEncoder(request: ResourceRequest): (event: WatchEvent) => Uint8Array {
  const events = eventsOf(request);
  const { resource } = request.scope;
  const writing = new ResponseWriting(request.context, request.format);
  return (event) =>
    events.stored?.(event, resource, writing) ?? events.write(event.type, { json: storedJson(event.entry) }, writing);
}

function decodedEncoder(request: ResourceRequest, shown: EventForm): (event: WatchEvent) => Uint8Array {
  const events = eventsOf(request);
  const codec = codecOf(request.scope);
  const { form } = request.format;
  const writing = new ResponseWriting(request.context, request.format);
  return ({ type, entry }) => events.write(type, shown.object(codec.decode(entry, form.shows)), writing);
}
