/** A body that is no object of its kind; the message is the reference's, without what the server puts before it. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly code: string = 'DECODE';
}

/** A JSON value that does not fit the Go type of its field. */
export class TypeMismatchError extends DecodeError {
  override readonly code = 'TYPE_MISMATCH';
  /** What the JSON holds: `string`, `number 1.5`, `array` ... */
  readonly value: string;
  readonly goType: string;
  readonly structName: string;
  /** Path of fields from the root, without indexes and map keys. */
  readonly field: string;
  /** What the decoder of a field told that has a decoder of its own: the outermost of such fields. */
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

  /** The error as a decoder tells it that met it inside of a field of its own. */
  inside(at: { readonly structName: string; readonly field: string }): TypeMismatchError {
    if (at.field === '') return this;
    return new TypeMismatchError(this.value, this.goType, {
      structName: at.structName,
      field: this.field === '' ? at.field : `${at.field}.${this.field}`,
      within: this,
    });
  }
}
