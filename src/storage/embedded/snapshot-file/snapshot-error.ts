/**
 * | code | when |
 * |---|---|
 * | foreign | the file is not a snapshot, or has an unknown format version |
 * | damaged | the file is a snapshot with missing or altered parts |
 * | exists | the target directory already contains a store |
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
