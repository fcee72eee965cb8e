import { isJsonObject } from '../../api/json/json.ts';
import { parseStored } from '../../codec/stored-json.ts';
import type { Translation } from '../../storage/translated.ts';

/** Custom objects have their keys in order, so that this is usually the first. */
const firstKey = /^\{"apiVersion":"([^"\\]*)"/;
const longestStart = 512;

/** The `apiVersion` of a stored custom object; empty if it has none. */
export function storedVersion(value: Uint8Array): string {
  const start = Buffer.from(value.buffer, value.byteOffset, Math.min(value.byteLength, longestStart));
  return firstKey.exec(start.toString('latin1'))?.[1] ?? parsedVersion(value);
}

function parsedVersion(value: Uint8Array): string {
  const { value: object } = parseStored(value);
  const version = isJsonObject(object) ? object['apiVersion'] : undefined;
  return typeof version === 'string' ? version : '';
}

/** Objects stored in other versions, which nothing converts any more, are unreadable. */
export function inVersions(known: ReadonlySet<string>, translation: Translation): Translation {
  return {
    read(value) {
      const read = translation.read(value);
      const version = storedVersion(read.value);
      if (known.has(version)) return read;
      throw new Error(`request to convert CR from an invalid group/version: ${version}`);
    },
    write: (value) => translation.write(value),
  };
}
