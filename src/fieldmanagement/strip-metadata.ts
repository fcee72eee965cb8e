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

/** Fields that are never owned: those set by the server, and those that identify the object. */
const strippedFields = FieldSet.of(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...serverFields.map((name) => ['f:metadata', fieldElement(name)]),
);

export function stripMetadata(owners: Map<string, Ownership>, manager: string): void {
  const ownership = owners.get(manager);
  if (ownership === undefined) return;
  const set = ownership.set.difference(strippedFields);
  if (set.isEmpty) owners.delete(manager);
  else owners.set(manager, { ...ownership, set });
}
