import { excluding, type FieldFilter, FieldSet } from '../../fieldmanagement/field-set.ts';
import { fieldElement } from '../../fieldmanagement/path-element.ts';

/** All fields except these paths. */
export function allBut(...paths: readonly string[]): FieldFilter {
  return excluding(FieldSet.of(...paths.map((path) => path.split('.').map(fieldElement))));
}
