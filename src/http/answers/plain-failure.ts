/** A failure answered as plain text, where the reference sends no Status. Log the cause before throwing it. */
export class PlainFailure extends Error {
  override readonly name = 'PlainFailure';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
