import { builtInResources } from '../../schema/kubernetes/resources.ts';
import type { ManagedKind } from '../field-manager.ts';
import { mergeTypeOf } from '../schema-type.ts';

/** A core kind with a single version and no reset fields. */
export function kindOf(kind: string): ManagedKind {
  const resource = builtInResources().find((each) => each.kind === kind && each.group === '' && each.version === 'v1');
  return {
    kind: { group: '', version: 'v1', kind },
    subresource: '',
    type: mergeTypeOf(resource?.schema),
    filterOf: () => undefined,
    convert: (object) => object,
  };
}
