import type { GroupVersionKind } from '../../api/group-version.ts';
import { getOwn } from '../../api/json.ts';
import type { Schema } from '../schema.ts';

/** Packages of the reference's internal types whose name is not the group's first label. */
const internalPackages: { readonly [group: string]: string } = {
  '': 'core',
  'events.k8s.io': 'core',
  'internal.apiserver.k8s.io': 'apiserverinternal',
};

/** What is said of an object of another kind than the path speaks: there is no way from its type to the internal one of the path. */
export function unknownConversionText({ goType }: Schema, { group, kind }: GroupVersionKind): string {
  const internal = getOwn(internalPackages, group) ?? group.split('.')[0] ?? '';
  return `converting (${goType}) to (${internal}.${kind}): unknown conversion`;
}
