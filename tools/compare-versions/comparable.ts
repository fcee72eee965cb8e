import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';

/** Times, identities and versions in messages. */
const varying =
  /[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\\*"resourceVersion\\*":\\*"\d+\\*",?|revision=\d+|resourceVersion:\d+/g;

/** Makes responses of different servers comparable: revisions become the number of changes of their object. */
export class Comparable {
  readonly #revisions = new Map<string, string[]>();

  readonly #plural: RegExp;

  constructor(plural: string) {
    this.#plural = new RegExp(plural, 'gi');
  }

  of(code: number, body: JsonObject): JsonObject {
    const text = JSON.stringify(this.#shown(code, body));
    return JSON.parse(text.replaceAll(this.#plural, 'kinds')) as JsonObject;
  }

  #shown(code: number, body: JsonObject): JsonObject {
    if (body['kind'] === 'Status') return { code, ...this.#status(body) };
    if (Array.isArray(body['items'])) {
      const items = body['items'].map((item) => this.#object(item as JsonObject));
      return { code, kind: body['kind'] ?? '', items };
    }
    if (body['kind'] === 'Table') {
      const rows = body['rows'] as readonly JsonObject[];
      return {
        code,
        rows: rows.map(({ cells, object }) => ({ cells: cells ?? null, object: this.#object(object as JsonObject) })),
      };
    }
    return { code, ...this.#object(body) };
  }

  #object(object: JsonObject): JsonObject {
    const { metadata, ...fields } = object;
    if (!isJsonObject(metadata)) return object;
    const { uid: _, creationTimestamp: __, resourceVersion, managedFields, ...rest } = metadata;
    const owners = Array.isArray(managedFields)
      ? managedFields.map(withoutTime).toSorted(byText)
      : (managedFields ?? null);
    return {
      ...fields,
      metadata: { ...rest, resourceVersion: this.#changes(metadata, resourceVersion), managedFields: owners },
    };
  }

  #changes({ uid }: JsonObject, resourceVersion: JsonValue | undefined): JsonValue {
    if (typeof uid !== 'string' || typeof resourceVersion !== 'string') return null;
    let known = this.#revisions.get(uid);
    if (known === undefined) this.#revisions.set(uid, (known = []));
    if (!known.includes(resourceVersion)) known.push(resourceVersion);
    return known.indexOf(resourceVersion);
  }

  /** The reference reports errors of properties in random order. */
  #status({ reason = '', message = '', details, status = '' }: JsonObject): JsonObject {
    const { causes, uid: _, ...more } = isJsonObject(details) ? details : {};
    const all = Array.isArray(causes) ? causes : [];
    // Errors of fields that no schema has are in random order there, too, and all but one may be missing.
    const shortened =
      typeof message === 'string' ? message.replace(/^(failed to create typed [^:]*).*/s, '$1') : message;
    const listed = all.length > 1 ? null : shortened;
    const shown = {
      status,
      reason,
      message: listed,
      details: details === undefined ? null : more,
      causes: all.toSorted(byText),
    };
    return JSON.parse(JSON.stringify(shown).replaceAll(varying, '')) as JsonObject;
  }
}

function withoutTime(entry: JsonValue): JsonValue {
  if (!isJsonObject(entry)) return entry;
  const { time: _, ...rest } = entry;
  return rest;
}

function byText(a: JsonValue, b: JsonValue): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
