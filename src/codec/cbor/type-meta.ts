import { isJsonObject } from '../../api/json.ts';
import { parseApiVersion } from '../../api/group-version.ts';
import type { Work } from '../../api/turns.ts';
import type { Field, Schema } from '../../schema/schema.ts';
import { CborError } from './cbor-errors.ts';
import { decodeExactly } from './decode-exact.ts';
import { FastDecoder } from './fast-decoder.ts';
import { checkWellFormed } from './well-formed.ts';

/** apiVersion and kind of a body; empty when absent. */
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

/** Reads kind and apiVersion only; rejects malformed CBOR. Throws CborError. */
export function* readTypeMeta(bytes: Uint8Array): Work<TypeMeta> {
  const [kind = '', version = ''] =
    (yield* new FastDecoder(bytes).texts(['kind', 'apiVersion'])) ?? (yield* readExactly(bytes));
  // An invalid group version counts as absent.
  const apiVersion = version === '/' || parseApiVersion(version) === undefined ? '' : version;
  return { apiVersion, kind };
}

function* readExactly(bytes: Uint8Array): Work<readonly string[]> {
  yield;
  yield* checkWellFormed(bytes);
  const value = yield* decodeExactly(typeMeta, bytes, { strict: false });
  const { kind, apiVersion } = isJsonObject(value) ? value : {};
  return [kind, apiVersion].map((text) => (typeof text === 'string' ? text : ''));
}

/** The error of a body whose kind cannot be determined. */
export function withoutKind(error: CborError): CborError {
  return new CborError(`unable to determine group/version/kind: ${error.message}`);
}
