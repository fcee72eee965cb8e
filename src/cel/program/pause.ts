/** Thrown through an evaluation that pauses. It goes on when it is evaluated again, which has no side effects. */
export class Pause extends Error {
  override readonly name = 'Pause';
  readonly code = 'cel-pause';
  /** What is awaited; undefined: the turn of the evaluation is over. */
  readonly until: Promise<void> | undefined;

  constructor(until?: Promise<void>) {
    super('an evaluation pauses');
    this.until = until;
  }
}
