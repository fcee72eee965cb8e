import { isJsonObject } from '../../api/json.ts';
import { parseApiVersion } from '../../api/group-version.ts';
import type { Field, Schema } from '../../schema/schema.ts';
import { CborError } from './cbor-errors.ts';
import { decodeExactly } from './decode-exact.ts';
import { FastDecoder } from './fast-decoder.ts';
import { checkWellFormed } from './well-formed.ts';

/** What a body says of its kind; empty where it does not. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

function textField(name: string): Field {
  return { name, schema: { type: 'string', goType: 'string' }, required: false, pointer: false, omit: 'empty' };
}

const typeMeta: Schema = {
  type: 'object',
  goType: 'v1.TypeMeta',
  structure: {
    goName: 'TypeMeta',
    fields: new Map(['kind', 'apiVersion'].map((name) => [name, textField(name)])),
  },
};

/** Reads kind and apiVersion alone; refuses what is not well-formed. Throws CborError. */
export function readTypeMeta(bytes: Uint8Array): TypeMeta {
  const [kind = '', version = ''] = new FastDecoder(bytes).texts(['kind', 'apiVersion']) ?? readExactly(bytes);
  // What is no group and version says nothing.
  const apiVersion = version === '/' || parseApiVersion(version) === undefined ? '' : version;
  return { apiVersion, kind };
}

function readExactly(bytes: Uint8Array): readonly string[] {
  checkWellFormed(bytes);
  const value = decodeExactly(typeMeta, bytes, { strict: false });
  const { kind, apiVersion } = isJsonObject(value) ? value : {};
  return [kind, apiVersion].map((text) => (typeof text === 'string' ? text : ''));
}

/** The error of a body of which the kind cannot be told. */
export function withoutKind(error: CborError): CborError {
  return new CborError(`unable to determine group/version/kind: ${error.message}`);
}
