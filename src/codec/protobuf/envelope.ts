import { ProtobufError, wireTypes } from '../../api/bytes/wire-reader.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { Schema } from '../../schema/schema.ts';
import { writeObject, written } from './encode.ts';
import { MessageReader } from './message-reader.ts';
import type { MessageWriter } from './message-writer.ts';

/** Prefix of every protobuf body of the API (specification, "Protobuf envelope"). */
const prefix = Buffer.from('k8s\0', 'latin1');

/** The size of the length of an object of 128 bytes to 16 KiB. */
const usualLengthBytes = 2;

/** The `Unknown` message around an object. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object's own message. */
  readonly raw: Uint8Array;
}

type Type = Pick<Envelope, 'apiVersion' | 'kind'>;

/** An object in its envelope. Throws a ProtobufError when its kind has no protobuf encoding. */
export function encodeEnvelope(type: Type, schema: Schema, object: Readonly<JsonObject>): Buffer {
  return written((writer) => {
    writeType(writer, type);
    const start = writer.open(2, usualLengthBytes);
    writeObject(writer, schema, object);
    writer.close(start, usualLengthBytes);
    writer.short(tail);
  });
}

/** The envelope around a message: type, object, and two empty strings that Go writes as well. */
export function writeEnvelope({ apiVersion, kind, raw }: Envelope): Buffer {
  return written((writer) => {
    writeHead(writer, { apiVersion, kind }, raw.length);
    writer.long(raw);
    writer.short(tail);
  });
}

/** What precedes and follows an object of `rawBytes`. */
export function envelopeParts(type: Type, rawBytes: number): { readonly head: Buffer; readonly tail: Buffer } {
  return { head: written((writer) => writeHead(writer, type, rawBytes)), tail };
}

function writeHead(writer: MessageWriter, type: Type, rawBytes: number): void {
  writeType(writer, type);
  writer.tag(2, wireTypes.bytes);
  writer.varint(rawBytes);
}

/** Two empty strings, in fields 3 and 4. */
const tail = Buffer.from([3 * 8 + wireTypes.bytes, 0, 4 * 8 + wireTypes.bytes, 0]);

function writeType(writer: MessageWriter, { apiVersion, kind }: Type): void {
  writer.short(prefix);
  const start = writer.open(1);
  writer.text(1, apiVersion);
  writer.text(2, kind);
  writer.close(start);
}

/** Reads the envelope. Throws a ProtobufError. */
export function readEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new ProtobufError('empty data');
  const reader = new MessageReader(bytes);
  if (!prefix.equals(reader.bytes.subarray(0, prefix.length))) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${[...prefix].join(' ')}]`,
    );
  }
  if (bytes.length === prefix.length) throw new ProtobufError('empty body');
  reader.at = prefix.length;
  let type = { apiVersion: '', kind: '' };
  let raw: Uint8Array = new Uint8Array();
  while (reader.at < reader.end) {
    const tag = reader.tag('Unknown');
    if (isField(tag, 1, 'TypeMeta')) type = readTypeMeta(reader);
    else if (isField(tag, 2, 'Raw')) raw = reader.content();
    else reader.skip(tag);
  }
  return { ...type, raw };
}

function readTypeMeta(reader: MessageReader): { apiVersion: string; kind: string } {
  const type = { apiVersion: '', kind: '' };
  const outer = reader.open();
  while (reader.at < reader.end) {
    const tag = reader.tag('TypeMeta');
    if (isField(tag, 1, 'APIVersion')) type.apiVersion = reader.text();
    else if (isField(tag, 2, 'Kind')) type.kind = reader.text();
    else reader.skip(tag);
  }
  reader.close(outer);
  return type;
}

/** All fields of both messages are length-delimited. */
function isField(tag: number, number: number, name: string): boolean {
  if (Math.floor(tag / 8) !== number) return false;
  if (tag % 8 === wireTypes.bytes) return true;
  throw new ProtobufError(`proto: wrong wireType = ${tag % 8} for field ${name}`);
}
