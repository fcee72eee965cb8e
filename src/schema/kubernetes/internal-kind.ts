import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import { getOwn } from '../../api/json/json.ts';
import type { Schema } from '../schema.ts';

/** Packages of the reference's internal types that are not named after the group's first label. */
const internalPackages: { readonly [group: string]: string } = {
  '': 'core',
  'events.k8s.io': 'core',
  'internal.apiserver.k8s.io': 'apiserverinternal',
};

/**
 * The error for an object of another kind than the path serves: its type does not convert to the path's internal type.
 */
export function unknownConversionText({ goType }: Schema, { group, kind }: GroupVersionKind): string {
  const internal = getOwn(internalPackages, group) ?? group.split('.')[0] ?? '';
  return `converting (${goType}) to (${internal}.${kind}): unknown conversion`;
}
