import type { ScopedResourceSelectorRequirement } from '../../schema/kubernetes/generated/types/core-v1.ts';

/** What nobody may use without a quota for it. */
export interface LimitedResource {
  readonly apiGroup: string;
  readonly resource: string;
  /** Parts of the names of amounts. */
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly ScopedResourceSelectorRequirement[];
}
