import type { TypedValue, VersionConverter } from './merge-type.ts';
import { TypedValueError, valueError } from './value-errors.ts';

/** Converts an object; `failure` begins the message of an error, as in the reference. */
export async function convertTyped(
  convert: VersionConverter,
  object: TypedValue,
  { apiVersion, failure }: { readonly apiVersion: string; readonly failure: string },
): Promise<TypedValue | undefined> {
  try {
    return await convert(object, apiVersion);
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error;
    throw new TypedValueError(valueError(`${failure}: ${error.message}`));
  }
}
