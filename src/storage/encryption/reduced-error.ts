import { joinedErrors } from '../../api/text/error-texts.ts';
import { EncryptionError } from './transformer.ts';

/** The only one of several errors, or one that tells them all. */
export function reducedError(errors: readonly unknown[]): unknown {
  const [only] = errors;
  if (errors.length === 1) return only;
  const messages = errors.map((error) => (error instanceof Error ? error.message : String(error)));
  return new EncryptionError(joinedErrors(messages), { cause: errors });
}
