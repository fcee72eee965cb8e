import { excluding, FieldSet, type FieldFilter } from '../../fieldmanagement/field-set.ts';
import { getOwn } from '../../api/json/json.ts';
import type { StoreKind } from './store-kind.ts';

const statusReset = excluding(FieldSet.of(['f:status']));
const specReset = excluding(FieldSet.of(['f:spec']));
const specAndMetadataReset = excluding(FieldSet.of(['f:spec'], ['f:metadata']));

/**
 * Fields that managers may own through a write of the object (empty name) or of a subresource in a version; undefined:
 * all.
 */
export function ownableFields(kind: StoreKind, subresource: string, version: string): FieldFilter | undefined {
  const own = getOwn(kind.strategy.ownableFields, subresource);
  if (own !== undefined || !kind.strategy.setsStatusApart(version)) return own;
  if (subresource === '') return statusReset;
  if (subresource !== 'status') return undefined;
  return kind.strategy.statusKeepsMetadata !== undefined ? specAndMetadataReset : specReset;
}
