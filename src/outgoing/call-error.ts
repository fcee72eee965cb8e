/** Thrown when a call gets no response. Messages match the reference. */
export class CallError extends Error {
  readonly code = 'CALL';
  /** Connection reset: the server may have restarted, so a retry can succeed. */
  readonly isReset: boolean;

  constructor(message: string, { isReset = false, ...options }: ErrorOptions & { readonly isReset?: boolean } = {}) {
    super(message, options);
    this.isReset = isReset;
  }
}
