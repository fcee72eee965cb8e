import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { BodyLimitError } from '../codec/body-limits.ts';
import { parseDeepJson } from '../codec/json.ts';
import { JsonSyntaxError } from '../codec/json-syntax.ts';
import { readReview } from '../outgoing/webhooks/read-review.ts';

const group = 'apiextensions.k8s.io';
const kind = 'ConversionReview';

/** What a webhook answers. */
export interface ConversionReview {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly response?: {
    readonly uid?: string;
    readonly convertedObjects?: readonly JsonValue[] | null;
    readonly result?: { readonly status?: string; readonly message?: string };
  };
}

const knownVersions: readonly string[] = ['v1', 'v1beta1'];

/**
 * Reads an answer. There may be many objects in it, so only one that looks unusual is decoded by its schema. Throws a
 * CallError.
 */
export async function readConversionReview(body: Uint8Array, version: string): Promise<ConversionReview> {
  const plain = await plainJson(body);
  if (isUsual(plain, version)) return plain as ConversionReview; // as far as that has been looked at
  const object = await readReview(body, {
    kind: { group, version, kind },
    knownVersions: knownVersions.filter((each) => each !== version),
  });
  return object as ConversionReview; // decoded by its schema
}

/** Undefined for what is no JSON. */
async function plainJson(body: Uint8Array): Promise<JsonValue | undefined> {
  try {
    return parseDeepJson(body).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof BodyLimitError) return undefined;
    throw error;
  }
}

function isUsual(review: JsonValue | undefined, version: string): boolean {
  if (review === undefined || !isJsonObject(review)) return false;
  const { kind: claimed, apiVersion, response, request, ...others } = review;
  if (claimed !== kind || apiVersion !== `${group}/${version}` || hasMembers(others)) return false;
  if (request !== undefined && !(isJsonObject(request) && isText(request['uid']))) return false;
  if (response === undefined || !isJsonObject(response)) return false;
  const { uid, result, convertedObjects = [], ...more } = response;
  return isText(uid) && !hasMembers(more) && areObjects(convertedObjects) && isUsualResult(result);
}

function isUsualResult(result: JsonValue | undefined): boolean {
  if (result === undefined) return true;
  if (!isJsonObject(result)) return false;
  const { status, message, reason, metadata = {}, ...others } = result;
  return isText(status) && isText(message) && isText(reason) && isJsonObject(metadata) && !hasMembers(others);
}

function areObjects(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.every((each) => isJsonObject(each)));
}

function isText(value: JsonValue | undefined): boolean {
  return value === undefined || typeof value === 'string';
}

function hasMembers(object: JsonObject): boolean {
  return Object.keys(object).length > 0;
}
