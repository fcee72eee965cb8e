/** A failed mutation, handled by the failure policy. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
  readonly code = 'MUTATION';
}
