/** A mutation that cannot be made; the failure policy decides what that means for the write. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
  readonly code = 'MUTATION';
}
