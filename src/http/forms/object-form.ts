import { formatApiVersion } from '../../api/meta/group-version.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { encodeAny, encodeRaw, quoteJson } from '../../api/json/json-text.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { servedNow } from '../../operations/resource-scope.ts';
import { encodeJson } from '../../schema/encode-json.ts';
import type { Resource } from '../../schema/resource.ts';
import { isUnstructured } from '../../schema/unstructured.ts';
import { bookmarkObject } from './bookmark.ts';
import type { Form } from './form.ts';
import { listMeta } from './list-meta.ts';
import { codecOf, type ListText, showsStored } from './shown-list.ts';

/** Objects themselves, in the requested version. */
export const objectForm: Form = {
  object: (_request, object, { schema }) => ({ object, schema }),
  list({ scope }, { list, entries }) {
    const { resource, conversion } = scope;
    const isStored = conversion.servesStoredVersion || entries.every((entry) => showsStored(scope, entry));
    const { group, version, listKind: kind, schema } = resource;
    const metadata = listMeta(list);
    return {
      type: { group, version, kind },
      metadata,
      entries,
      stored: isStored ? resource : undefined,
      itemSchema: schema,
      around: () => listText(resource, metadata),
      item: (entry) => itemOf(resource, servedNow(scope, codecOf(scope).decode(entry))),
    };
  },
  async whole({ scope }, list, objects) {
    const { resource } = scope;
    const { head, tail } = listText(resource, listMeta(list));
    const items: string[] = [];
    for await (const object of objects) {
      items.push(encodeJson(resource.schema, itemOf(resource, servedNow(scope, object))));
    }
    return { json: Buffer.from(`${head}${items.join(',')}${tail}`) };
  },
  events({ scope }) {
    const { resource, responses } = scope;
    const { schema } = resource;
    return {
      isShared: true,
      object: (object) => ({ object: servedNow(scope, object), schema }),
      bookmark(bookmark) {
        // As Go encodes an empty one.
        const object = bookmarkObject(resource, bookmark);
        return { object: responses.emptyForm?.(object) ?? object, schema };
      },
    };
  },
};

/** Items of typed lists omit kind and apiVersion. */
function itemOf({ schema }: Resource, object: KubernetesObject): JsonObject {
  if (isUnstructured(schema)) return object;
  const { kind: _kind, apiVersion: _apiVersion, ...item } = object;
  return item;
}

/**
 * `{"kind":"PodList","apiVersion":"v1","metadata":{...},"items":[` and `]}`; lists of custom resources have sorted
 * keys.
 */
function listText({ listKind, group, version, schema }: Resource, meta: JsonObject): ListText {
  const [kind, apiVersion] = [quoteJson(listKind), quoteJson(formatApiVersion(group, version))];
  if (isUnstructured(schema)) {
    const metadata = encodeAny({ continue: '', ...meta });
    return { head: `{"apiVersion":${apiVersion},"items":[`, tail: `],"kind":${kind},"metadata":${metadata}}` };
  }
  return { head: `{"kind":${kind},"apiVersion":${apiVersion},"metadata":${encodeRaw(meta)},"items":[`, tail: ']}' };
}
