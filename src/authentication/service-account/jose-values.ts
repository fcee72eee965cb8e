import { Base64Error, decodeRawUrlBase64 } from '../../api/bytes/base64.ts';
import type { JsonTree } from '../../api/json/json-tree.ts';
import { parseDeepJson } from '../../codec/json.ts';
import { JsonSyntaxError } from '../../codec/json-syntax.ts';
import { BodyLimitError } from '../../codec/body-limits.ts';
import { goText } from '../../codec/go/go-types.ts';
import { decodeGo, GoDecodeError, goDialects, type GoType } from '../../codec/go/go-values.ts';

/** A token that is none; the text is go-jose's. */
export class JoseError extends Error {
  override readonly name = 'JoseError';
  readonly code = 'JOSE';
}

/** Returns what `read` does; its errors become JoseErrors that begin with `what`. */
export function asJose<Value>(read: () => Value, tell: (why: string) => string = (why) => why): Value {
  try {
    return read();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    throw new JoseError(tell(error.message), { cause: error });
  }
}

/** Errors of whatever reads parts of a token. */
export function isUnreadable(error: unknown): error is Error {
  return (
    error instanceof JoseError ||
    error instanceof GoDecodeError ||
    error instanceof JsonSyntaxError ||
    error instanceof BodyLimitError ||
    error instanceof Base64Error
  );
}

/** The JSON of a part of a token. Throws JsonSyntaxError or BodyLimitError. */
export function treeOf(bytes: Uint8Array): JsonTree {
  return parseDeepJson(bytes).tree();
}

/** Decodes as go-jose does. Throws a GoDecodeError. */
export function decodeJose<Value>(type: GoType<Value>, tree: JsonTree): Value {
  return decodeGo(type, tree, goDialects.jose);
}

/** Base64 in a string, as bytes. */
export const joseBytes: GoType<Buffer> = {
  name: 'jose.byteBuffer',
  zero: Buffer.alloc(0),
  read(tree) {
    return decodeRawUrlBase64(decodeJose(goText(), tree));
  },
};
