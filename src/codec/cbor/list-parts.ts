import type { JsonObject } from '../../api/json/json.ts';
import { CborWriter } from './cbor-writer.ts';
import { writeAny } from './encode-any.ts';
import { majorTypes } from './major-types.ts';

/** A list without its items. */
export interface CborList {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject;
  readonly count: number;
}

/** What precedes the items of a list, including their number, and what follows them. */
export function cborListParts({ apiVersion, kind, metadata, count }: CborList): { head: Buffer; tail: Buffer } {
  const writer = new CborWriter();
  writer.selfDescribed();
  writer.head(majorTypes.map, 4);
  writer.string('kind');
  writer.string(kind);
  writer.string('items');
  writer.head(majorTypes.array, count);
  const head = writer.take();
  writer.string('metadata');
  writeAny(writer, metadata);
  writer.string('apiVersion');
  writer.string(apiVersion);
  return { head, tail: writer.take() };
}
