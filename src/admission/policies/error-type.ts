/** What metrics call the failure of an expression. */
export function errorTypeOf(failure: string): string {
  if (failure.startsWith('compilation')) return 'compile_error';
  if (failure.startsWith('validation failed due to running out of cost budget')) return 'out_of_budget';
  return 'invalid_error';
}
