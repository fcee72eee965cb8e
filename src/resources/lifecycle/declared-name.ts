import type { ObjectMeta } from '../../schema/kubernetes/generated/types/meta-v1.ts';
import { type Errors, longName } from '../parts/rules/rules.ts';

/** An absent name is judged as an empty one, besides being required. */
export function declaredName({ metadata }: { readonly metadata?: ObjectMeta }): Errors {
  return (metadata?.name ?? '') === '' ? longName('', 'metadata.name') : [];
}
