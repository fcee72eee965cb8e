/** Thrown if the file of a store lacks an ability that stores of the current format have. */
export class OldFormatError extends Error {
  override readonly name = 'OldFormatError';
  readonly code = 'OLD_FORMAT';

  constructor() {
    super('the store has an old format: stop the server and run `binnacle upgrade-store`');
  }
}
