import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { ApiResponse } from '../../test/api-client.ts';
import { normalizeValue } from '../../test/recorded/differential/normalize.ts';

/** A response as text, without what differs between servers. */
export function comparable({ code, headers, body }: ApiResponse): readonly string[] {
  const warnings = headers['warning'] === undefined ? [] : [`warning ${String(headers['warning'])}`];
  const causes = isJsonObject(body['details']) ? (body['details']['causes'] ?? []) : [];
  const rest = code < 400 ? [JSON.stringify(normalizeValue(withoutOwners(body)))] : errorLines(body, causes);
  return [`code ${code}`, ...warnings.map(masked), ...rest.map(masked)];
}

function errorLines(body: JsonObject, causes: JsonValue): string[] {
  const lines = Array.isArray(causes) ? causes.map((cause) => `cause ${JSON.stringify(normalizeValue(cause))}`) : [];
  const details = isJsonObject(body['details']) ? { ...body['details'], causes: undefined } : {};
  const first = lines.length > 0 ? '' : `message ${String(body['message'])}`;
  return [`${String(body['reason'])} ${first} ${JSON.stringify(normalizeValue(details))}`, ...lines];
}

function withoutOwners(body: JsonObject): JsonObject {
  const { metadata } = body;
  if (!isJsonObject(metadata)) return body;
  const { managedFields: _, selfLink: __, ...kept } = metadata;
  return { ...body, metadata: kept };
}

function masked(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '(uid)')
    .replaceAll(/"token":"eyJ[^"]*"/g, '"token"')
    .replaceAll(/selfType\d+/g, 'selfType')
    .replaceAll(/[bcdfghjklmnpqrstvwxz2456789]{5}(?=\\*")/g, '(random)')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '(time)');
}
