import type { JsonObject } from '../../../../src/api/json/json.ts';
import { isJsonObject } from '../../../../src/api/json/json.ts';
import type { Versions } from './versions.ts';

/** A response as received. */
export interface RawResponse {
  readonly code: number;
  readonly headers: { readonly [name: string]: unknown };
  readonly text: string;
}

/** The recorded part of a response: nothing that differs between equivalent servers. */
export interface Digest {
  readonly code: number;
  readonly contentType: string;
  readonly retryAfter?: string;
  /** A list's metadata and objects, the events of a watch, or a Status. */
  readonly body: unknown;
}

export interface DigestOptions {
  /** Whole objects instead of name and version. */
  readonly whole: boolean;
  /** Include bookmarks sent on a timer, which depend on the load of the machine. */
  readonly timedBookmarks: boolean;
}

export function digestOf(
  { code, headers, text }: RawResponse,
  versions: Versions,
  { whole, timedBookmarks }: DigestOptions,
): Digest {
  const retryAfter = headers['retry-after'];
  const lines = text.trimEnd().split('\n');
  const documents = text.trim() === '' ? [] : lines.map(parse);
  const digest = whole ? wholeOf(versions) : (document: unknown) => documentOf(document, versions);
  const events = documents.filter((document) => timedBookmarks || !isTimedBookmark(document)).map(digest);
  const [only] = events;
  const [first] = documents;
  const single = documents.length === 1 && !(isJsonObject(first) && 'type' in first);
  return {
    code,
    contentType: shownValue(headers['content-type']),
    ...(retryAfter === undefined ? {} : { retryAfter: shownValue(retryAfter) }),
    body: single ? only : timedBookmarks ? withoutRepeats(events) : events,
  };
}

function isTimedBookmark(document: unknown): boolean {
  return (
    isJsonObject(document) &&
    document['type'] === 'BOOKMARK' &&
    !JSON.stringify(document).includes('initial-events-end')
  );
}

function withoutRepeats(events: readonly unknown[]): unknown[] {
  return events.filter((event, index) => index === 0 || JSON.stringify(event) !== JSON.stringify(events[index - 1]));
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return line;
  }
}

function documentOf(document: unknown, versions: Versions): unknown {
  if (!isJsonObject(document)) return document;
  if (document['kind'] === 'Status') return statusOf(document, versions);
  const { type, object, items, metadata } = document;
  if (typeof type === 'string' && isJsonObject(object)) {
    return object['kind'] === 'Status'
      ? { type, status: statusOf(object, versions) }
      : `${type} ${objectOf(object, versions)}`;
  }
  if (!Array.isArray(items) || !isJsonObject(metadata)) return objectOf(document, versions);
  return { metadata: listMetaOf(metadata, versions), items: items.map((item) => objectOf(item, versions)) };
}

function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** `b (green) @ N`, plus bookmark annotations. */
function objectOf(object: unknown, versions: Versions): string {
  if (!isJsonObject(object) || !isJsonObject(object['metadata'])) return JSON.stringify(object);
  const { name = '', labels, annotations, resourceVersion = '' } = object['metadata'];
  const color = isJsonObject(labels) ? ` (${shownValue(labels['color'])})` : '';
  const notes = annotations === undefined ? '' : ` ${JSON.stringify(annotations)}`;
  return `${shownValue(name)}${color} @ ${versions.nameOf(shownValue(resourceVersion))}${notes}`;
}

function listMetaOf(metadata: JsonObject, versions: Versions): unknown {
  const { resourceVersion, continue: token, ...rest } = metadata;
  return {
    ...rest,
    ...(resourceVersion === undefined ? {} : { resourceVersion: versions.nameOf(shownValue(resourceVersion)) }),
    ...(token === undefined ? {} : { continue: tokenOf(shownValue(token), versions) }),
  };
}

/** The contents of the token; both servers use the same format. */
function tokenOf(token: string, versions: Versions): unknown {
  const parsed = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as JsonObject;
  const { rv } = parsed;
  return { ...parsed, rv: typeof rv === 'number' && rv > 0 ? versions.nameOf(String(rv)) : rv };
}

function statusOf(status: JsonObject, versions: Versions): unknown {
  const { metadata, message, ...rest } = status;
  return {
    ...rest,
    metadata: isJsonObject(metadata) ? listMetaOf(metadata, versions) : metadata,
    ...(typeof message === 'string' ? { message: versions.inText(message) } : {}),
  };
}

const variable: ReadonlySet<string> = new Set(['uid', 'creationTimestamp', 'description', 'managedFields']);

/** Everything except what differs between runs. */
function wholeOf(versions: Versions): (value: unknown) => unknown {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value === 'string')
      return /^\d+[smh]$/.test(value) ? '<age>' : value.replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, '<time>');
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key !== 'managedFields')
        .map(([key, item]) => {
          if (key === 'continue' && typeof item === 'string') return [key, tokenOf(item, versions)];
          if (key === 'message' && typeof item === 'string') return [key, versions.inText(item)];
          if (key === 'resourceVersion' && typeof item === 'string' && item !== '') return [key, versions.nameOf(item)];
          return [key, variable.has(key) && item !== null ? `<${key}>` : walk(item)];
        }),
    );
  };
  return walk;
}
