/** Codes of RFC 9113, section 7. */
export const errorCodes = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  enhanceYourCalm: 11,
} as const;

/** What the peer has sent cannot be read: the connection ends with `code`. */
export class Http2Error extends Error {
  override readonly name = 'Http2Error';
  readonly code: number;

  constructor(code: keyof typeof errorCodes, message: string) {
    super(message);
    this.code = errorCodes[code];
  }
}
