import { FieldSet } from './field-set.ts';
import type { Ownership } from './managers.ts';
import { fieldElement } from './path-element.ts';

const serverFields = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];

/** What nobody owns: what the server sets, and what says which object it is. */
const strippedFields = FieldSet.of(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...serverFields.map((name) => ['f:metadata', fieldElement(name)]),
);

/** Takes from one manager what nobody owns. */
export function stripMetadata(owners: Map<string, Ownership>, manager: string): void {
  const ownership = owners.get(manager);
  if (ownership === undefined) return;
  const set = ownership.set.difference(strippedFields);
  if (set.isEmpty) owners.delete(manager);
  else owners.set(manager, { ...ownership, set });
}
