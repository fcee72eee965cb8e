import { encodeAny, encodeRaw, quoteJson } from '../../api/json-text.ts';
import { formatApiVersion } from '../../api/group-version.ts';
import type { JsonObject } from '../../api/json.ts';
import type { Resource } from '../../schema/resource.ts';
import { isUnstructured } from '../../schema/unstructured.ts';

/** The JSON of a list around its items. */
export interface ListText {
  /** Up to the bracket that opens the items. */
  readonly head: string;
  /** From the bracket that closes them. */
  readonly tail: string;
}

/** `{"kind":"PodList","apiVersion":"v1","metadata":{...},"items":[` and `]}`; lists of custom kinds have their keys in order. */
export function jsonListText({ listKind, group, version, schema }: Resource, meta: JsonObject): ListText {
  const [kind, apiVersion] = [quoteJson(listKind), quoteJson(formatApiVersion(group, version))];
  if (isUnstructured(schema)) {
    const metadata = encodeAny({ continue: '', ...meta });
    return { head: `{"apiVersion":${apiVersion},"items":[`, tail: `],"kind":${kind},"metadata":${metadata}}` };
  }
  return { head: `{"kind":${kind},"apiVersion":${apiVersion},"metadata":${encodeRaw(meta)},"items":[`, tail: ']}' };
}
