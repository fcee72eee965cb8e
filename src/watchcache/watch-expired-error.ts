/** Thrown for a start before the history: `oldest` is the first possible revision. */
export class WatchExpiredError extends Error {
  override readonly name = 'WatchExpiredError';
  readonly code = 'WATCH_EXPIRED';
  readonly requested: number;
  readonly oldest: number;

  constructor(requested: number, oldest: number) {
    super(`revision ${requested} is older than the history, which starts at ${oldest}`);
    this.requested = requested;
    this.oldest = oldest;
  }
}
