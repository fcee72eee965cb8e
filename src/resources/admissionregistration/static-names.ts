import { invalidField } from '../../api/errors/field-error.ts';
import type { ObjectMeta } from '../../schema/kubernetes/generated/types/meta-v1.ts';
import type { Errors } from '../parts/rules/rules.ts';

/** The suffix of admission configuration loaded from files. */
export const staticSuffix = '.static.k8s.io';

export const staticSuffixDetail = `names ending with "${staticSuffix}" are reserved for static manifest-based configurations and cannot be managed via the API`;

/** Refuses the suffix in names created through the API. */
export function* noStaticName({ metadata = {} }: { readonly metadata?: ObjectMeta }): Errors {
  const { name = '' } = metadata;
  if (name.endsWith(staticSuffix)) yield invalidField('metadata.name', name, staticSuffixDetail);
}
