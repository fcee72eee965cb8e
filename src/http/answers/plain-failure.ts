/** A failure that is answered as plain text, where the reference has no Status for it. Who throws it has told the log. */
export class PlainFailure extends Error {
  override readonly name = 'PlainFailure';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
