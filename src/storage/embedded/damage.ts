/** Thrown if the store is not as it was written, before anything of it is served. */
export class DamagedStoreError extends Error {
  override readonly name = 'DamagedStoreError';
  readonly code = 'DAMAGED_STORE';
}
