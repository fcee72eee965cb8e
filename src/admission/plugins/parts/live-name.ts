import { goQuote } from '../../../api/go/go-quote.ts';
import { pathSegmentErrors } from '../../../api/meta/names.ts';

/**
 * Why the reference cannot ask for an object of this name that its cache lacks: it asks over HTTP, where the name is a
 * part of the path. Undefined: it can.
 */
export function liveNameProblem(name: string): string | undefined {
  if (name === '') return 'resource name may not be empty';
  const errors = pathSegmentErrors(name);
  return errors.length === 0 ? undefined : `invalid resource name ${goQuote(name)}: [${errors.join(' ')}]`;
}
