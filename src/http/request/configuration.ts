import { isJsonObject } from '../../api/json/json.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import { decodeCborMap } from '../../codec/cbor-serializer.ts';
import { BodySyntaxError, type DecodedBody } from '../../codec/serializer.ts';
import { yamlSerializer } from '../../codec/yaml-serializer.ts';
import type { AppliedConfiguration } from '../../operations/apply.ts';
import { cborEncoding } from '../forms/cbor-encoding.ts';
import { mediaTypeOf } from '../negotiation/negotiate.ts';
import { readInput } from './read-input.ts';
import type { RequestContext } from './request-context.ts';

/** Reads the body of an apply. Throws 400. */
export function readConfiguration({ exchange }: RequestContext, bytes: Uint8Array): AppliedConfiguration {
  const isCbor = mediaTypeOf(exchange.header('content-type') ?? '') === cborEncoding.applyType;
  return readInput(() => (isCbor ? readCborConfiguration(bytes) : readYamlConfiguration(bytes)));
}

/** No strict checks: CBOR duplicates are always refused, and without a type no field is unknown. */
function readCborConfiguration(bytes: Uint8Array): AppliedConfiguration {
  try {
    return { patch: decodeCborMap(bytes), strictErrors: [] };
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    throw badRequest(`error decoding patch: ${error.message}`);
  }
}

/** JSON is YAML. Throws if it is not YAML; malformed JSON is reported only when it is applied. */
function readYamlConfiguration(bytes: Uint8Array): AppliedConfiguration {
  try {
    const { source, strictErrors } = decodeFirst(bytes);
    const { value } = source;
    if (value !== null && !isJsonObject(value)) {
      const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
      const why = `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
      return noConfiguration(`error unmarshaling JSON: while decoding JSON: ${why}`);
    }
    return { patch: value ?? {}, strictErrors };
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    if (looksLikeJson(bytes)) return noConfiguration(`error converting YAML to JSON: ${error.message}`);
    throw badRequest(`error encoding patch: ${error.message}`);
  }
}

function noConfiguration(why: string): AppliedConfiguration {
  return { patch: {}, strictErrors: [], error: badRequest(`error decoding patch: ${why}`) };
}

/** Decodes the first value; YAML decoders ignore what follows a flow mapping. */
function decodeFirst(bytes: Uint8Array): DecodedBody {
  try {
    return yamlSerializer.decode(bytes);
  } catch (error) {
    const end = error instanceof BodySyntaxError && looksLikeJson(bytes) ? endOfObject(bytes) : bytes.length;
    if (end === bytes.length) throw error;
    return yamlSerializer.decode(bytes.subarray(0, end));
  }
}

/** The end of the JSON object that the text starts with, or of the text if it is not closed. */
function endOfObject(bytes: Uint8Array): number {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const char = String.fromCharCode(bytes[at] ?? 0);
    if (isText && char === '\\') at += 1;
    else if (char === '"') isText = !isText;
    else if (!isText && char === '{') depth += 1;
    else if (!isText && char === '}') depth -= 1;
    if (char === '}' && depth === 0 && !isText) return at + 1;
  }
  return bytes.length;
}

function looksLikeJson(bytes: Uint8Array): boolean {
  return /^\s*\{/.test(Buffer.from(bytes.subarray(0, 1024)).toString('latin1'));
}
