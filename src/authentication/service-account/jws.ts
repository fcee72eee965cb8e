import type { KeyObject } from 'node:crypto';
import { CompactSign, compactVerify, decodeJwt, decodeProtectedHeader, errors } from 'jose';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { algorithmOf, algorithmsOf } from './token-algorithms.ts';

/** A token in compact form (RFC 7515, section 7.1); nothing is verified yet. */
export interface ParsedToken {
  readonly text: string;
  readonly algorithm: string;
  readonly keyId: string;
  readonly payload: JsonObject;
}

/** Undefined for anything that is not a JWS with claims. */
export function parseToken(text: string): ParsedToken | undefined {
  try {
    const { alg = '', kid = '' } = decodeProtectedHeader(text);
    const payload = decodeJwt(text) as JsonValue; // parsed JSON
    if (!isJsonObject(payload)) return undefined;
    return { text, algorithm: textOf(alg), keyId: textOf(kid), payload };
  } catch (error) {
    // What the library throws for headers that cannot be read.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Whatever type it is in the header. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Verifies the signature with a public key, which determines the algorithms: a token cannot choose another. */
export async function verifyToken({ text }: ParsedToken, key: KeyObject): Promise<boolean> {
  try {
    await compactVerify(text, key, { algorithms: [...algorithmsOf(key)] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

/** Signs claims with a private key. */
export async function signToken(claims: JsonObject, key: KeyObject, keyId: string): Promise<string> {
  const payload = Buffer.from(JSON.stringify(claims));
  return new CompactSign(payload).setProtectedHeader({ alg: algorithmOf(key), kid: keyId }).sign(key);
}
