/** A text that is no DER (ITU-T X.690), or not what was expected of it. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

/** One value: its tag with class and form bits, and its content. */
export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
}

export const derTags = { objectIdentifier: 0x06, sequence: 0x30, set: 0x31 } as const;

/** The values that stand one after another in `bytes`. Throws a DerError. */
export function readDer(bytes: Uint8Array): DerValue[] {
  const values: DerValue[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const tag = bytes[offset] ?? 0;
    const { length, start } = readLength(bytes, offset + 1);
    if (start + length > bytes.length) throw new DerError('a value ends behind the text');
    values.push({ tag, content: bytes.subarray(start, start + length) });
    offset = start + length;
  }
  return values;
}

/** Short form below 128, else a count of length bytes and the bytes. */
function readLength(bytes: Uint8Array, offset: number): { readonly length: number; readonly start: number } {
  const first = bytes[offset];
  if (first === undefined) throw new DerError('a value has no length');
  if (first < 0x80) return { length: first, start: offset + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 4) throw new DerError('a length is of a form that DER does not have');
  const digits = bytes.subarray(offset + 1, offset + 1 + count);
  if (digits.length < count) throw new DerError('a length ends behind the text');
  return { length: digits.reduce((sum, digit) => sum * 256 + digit, 0), start: offset + 1 + count };
}

/** The values inside a value of the given tag. */
export function readInside(value: DerValue | undefined, tag: number): DerValue[] {
  if (value?.tag !== tag) throw new DerError(`a value of tag ${tag} is missing`);
  return readDer(value.content);
}
