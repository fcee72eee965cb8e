import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

// Parts of documents that others have sent: what is of another type is as good as absent.

export function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function textsIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

export function stringValue(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** `metadata.name` */
export function nameOf({ metadata }: JsonObject): string {
  return isJsonObject(metadata) ? stringValue(metadata['name']) : '';
}
