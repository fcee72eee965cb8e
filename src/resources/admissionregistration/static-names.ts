import { invalidField } from '../../api/field-error.ts';
import type { ObjectMeta } from '../../schema/kubernetes/generated/types/meta-v1.ts';
import type { Errors } from '../parts/rules/rules.ts';

/** End of the names of admission configuration that comes from files. */
export const staticSuffix = '.static.k8s.io';

export const staticSuffixDetail = `names ending with "${staticSuffix}" are reserved for static manifest-based configurations and cannot be managed via the API`;

/** What a creation through the API may not be named. */
export function* noStaticName({ metadata = {} }: { readonly metadata?: ObjectMeta }): Errors {
  const { name = '' } = metadata;
  if (name.endsWith(staticSuffix)) yield invalidField('metadata.name', name, staticSuffixDetail);
}
