import { isUtf8 } from 'node:buffer';
import { goQuote } from '../../api/go/go-quote.ts';

/** Invalid CBOR, or CBOR that does not fit the type; the message is the reference's. */
export class CborError extends Error {
  override readonly name: string = 'CborError';
  readonly code: string = 'CBOR';
}

/** A data item that does not fit its Go type. */
export class CborTypeError extends CborError {
  override readonly name = 'CborTypeError';
  override readonly code = 'CBOR_TYPE';
  readonly #what: string;
  readonly #goType: string;
  readonly #why: string;

  constructor(what: string, goType: string, { why = '', field = '' } = {}) {
    const target = field === '' ? 'Go value' : `Go struct field ${field}`;
    super(`cbor: cannot unmarshal ${what} into ${target} of type ${goType}${why === '' ? '' : ` (${why})`}`);
    this.#what = what;
    this.#goType = goType;
    this.#why = why;
  }

  /** The error as an enclosing struct reports it: with its own field, however deep the cause. */
  inField(field: string): CborTypeError {
    return new CborTypeError(this.#what, this.#goType, { why: this.#why, field });
  }
}

/** An unknown field; an error in strict mode only. */
export class UnknownFieldError extends CborError {
  override readonly name = 'UnknownFieldError';
  override readonly code = 'UNKNOWN_FIELD';

  constructor(index: number) {
    super(`cbor: found unknown field at map element index ${index}`);
  }
}

export function duplicateKey(key: string, index: number): CborError {
  return new CborError(`cbor: found duplicate map key ${key} at map element index ${index}`);
}

export function unacceptable(type: string, why: string): CborError {
  return new CborError(`cbor: data item of cbor type ${type} is not accepted by protocol: ${why}`);
}

/** Bytes as Go's `%q` prints a string: invalid UTF-8 in hexadecimal. */
export function quoteBytes(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return goQuote(buffer.toString('utf8'));
  let out = '';
  for (let start = 0; start < buffer.length;) {
    let end = start + 1;
    while (end < buffer.length && end < start + 4 && !isUtf8(buffer.subarray(start, end))) end++;
    const valid = isUtf8(buffer.subarray(start, end));
    if (valid) out += goQuote(buffer.toString('utf8', start, end)).slice(1, -1);
    else out += `\\x${(buffer[start] ?? 0).toString(16).padStart(2, '0')}`;
    start = valid ? end : start + 1;
  }
  return `"${out}"`;
}
