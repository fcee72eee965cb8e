/**
 * Thrown for a body that is not an object of its kind; the message matches the reference, without the prefix added by
 * the server.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly code: string = 'DECODE';
}

/** Thrown for a JSON value that does not fit the Go type of its field. */
export class TypeMismatchError extends DecodeError {
  override readonly code = 'TYPE_MISMATCH';
  /** The JSON value: `string`, `number 1.5`, `array` ... */
  readonly value: string;
  readonly goType: string;
  readonly structName: string;
  /** Path of fields from the root, without indexes and map keys. */
  readonly field: string;
  /** The error of the outermost enclosing field with its own decoder. */
  readonly within: TypeMismatchError | undefined;

  constructor(
    value: string,
    goType: string,
    at: { readonly structName: string; readonly field: string; readonly within?: TypeMismatchError },
  ) {
    super(
      at.structName === '' && at.field === ''
        ? `json: cannot unmarshal ${value} into Go value of type ${goType}`
        : `json: cannot unmarshal ${value} into Go struct field ${at.structName}.${at.field} of type ${goType}`,
    );
    this.value = value;
    this.goType = goType;
    this.structName = at.structName;
    this.field = at.field;
    this.within = at.within;
  }

  /** The error as reported by a decoder that encounters it within one of its fields. */
  inside(at: { readonly structName: string; readonly field: string }): TypeMismatchError {
    if (at.field === '') return this;
    return new TypeMismatchError(this.value, this.goType, {
      structName: at.structName,
      field: this.field === '' ? at.field : `${at.field}.${this.field}`,
      within: this,
    });
  }
}
