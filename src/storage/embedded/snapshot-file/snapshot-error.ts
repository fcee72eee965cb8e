/**
 * | code | when |
 * |---|---|
 * | foreign | the file is no snapshot, or one of a format that this program does not know |
 * | damaged | the file is a snapshot of which something is missing or altered |
 * | exists | there is a store already where one is to be restored |
 */
export type SnapshotErrorCode = 'foreign' | 'damaged' | 'exists';

export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  readonly code: SnapshotErrorCode;

  constructor(code: SnapshotErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
