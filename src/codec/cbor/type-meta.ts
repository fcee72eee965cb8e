import { isJsonObject, type JsonValue } from '../../api/json/json.ts';
import { parseApiVersion } from '../../api/meta/group-version.ts';
import type { Field, Schema } from '../../schema/schema.ts';
import { CborError } from './cbor-errors.ts';
import { decodeExactly } from './decode-exact.ts';
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
export function readTypeMeta(bytes: Uint8Array): TypeMeta {
  checkWellFormed(bytes);
  const value = decodeExactly(typeMeta, bytes, { strict: false });
  const { kind, apiVersion } = isJsonObject(value) ? value : {};
  return { apiVersion: versionOf(apiVersion), kind: typeof kind === 'string' ? kind : '' };
}

/** An invalid group version counts as absent. */
function versionOf(value: JsonValue | undefined): string {
  return typeof value === 'string' && value !== '/' && parseApiVersion(value) !== undefined ? value : '';
}

/** The error of a body whose kind cannot be determined. */
export function withoutKind(error: CborError): CborError {
  return new CborError(`unable to determine group/version/kind: ${error.message}`);
}
