import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';

/*
 * Reduces an OpenAPI document to what two servers must agree on: sorted keys, shared parameters inlined, no
 * descriptions, no CBOR (which the reference lists behind a gate).
 */

export function canonicalDigest(document: JsonObject): string {
  return createHash('sha256')
    .update(JSON.stringify(canonicalDocument(document)))
    .digest('base64url')
    .slice(0, 16);
}

function canonicalDocument(document: JsonObject): JsonValue {
  const { parameters, ...rest } = document;
  return canonical(rest, isJsonObject(parameters) ? parameters : {});
}

const sharedPrefix = '#/parameters/';

function canonical(value: JsonValue, shared: JsonObject): JsonValue {
  if (Array.isArray(value)) {
    return value.filter((each) => !isCbor(each)).map((each) => canonical(each, shared));
  }
  if (!isJsonObject(value)) return value;
  const target = value['$ref'];
  if (typeof target === 'string' && target.startsWith(sharedPrefix)) {
    return canonical(shared[target.slice(sharedPrefix.length)] ?? null, shared);
  }
  const { allOf } = value;
  const kept = Object.keys(value).filter((key) => key !== 'description');
  // A reference with a description is wrapped in allOf.
  if (kept.length === 1 && Array.isArray(allOf) && allOf.length === 1) return canonical(allOf[0] ?? null, shared);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => !isCbor(key) && !(key === 'description' && typeof each === 'string'))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, canonical(each, shared)]),
  );
}

function isCbor(value: JsonValue): boolean {
  return typeof value === 'string' && value.startsWith('application/') && value.includes('cbor');
}
