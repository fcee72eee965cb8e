import type { JsonObject } from '../../src/api/json/json.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { allBases, type Base, namespace } from '../walk-schemas/bases.ts';

/** A kind in all versions that a play asks for it in. */
export interface PlayedKind {
  readonly name: string;
  readonly namespaced: boolean;
  readonly versions: readonly PlayedVersion[];
}

export interface PlayedVersion {
  readonly resource: Resource;
  readonly base: Base;
  /** `/apis/apps/v1` */
  readonly root: string;
  /** A valid object. */
  object(name: string, space: string): JsonObject;
  collection(space: string): string;
}

/** Objects of these kinds change how the server answers to others. */
const excluded =
  /^(?:apiservices|customresourcedefinitions|.*policies|.*policybindings|.*webhookconfigurations|flowschemas|prioritylevelconfigurations|namespaces|storageversions|servicecidrs)$/;
const included = /^(?:networkpolicies)$/;

export function playedKinds(): readonly PlayedKind[] {
  const byName = new Map<string, PlayedVersion[]>();
  for (const base of allBases()) {
    const { plural, group, storage } = base.resource;
    if (storage === undefined || (excluded.test(plural) && !included.test(plural))) continue;
    const name = `${plural}.${group === 'events.k8s.io' ? '' : group}`;
    const versions = byName.get(name) ?? [];
    versions.push(versionOf(base));
    byName.set(name, versions);
  }
  return [...byName].map(([name, versions]) => ({
    name,
    namespaced: versions[0]?.resource.namespaced === true,
    versions,
  }));
}

function versionOf(base: Base): PlayedVersion {
  const { group, version, namespaced, plural } = base.resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return {
    resource: base.resource,
    base,
    root,
    object(name, space) {
      const { metadata: _, ...rest } = base.object;
      const body = JSON.parse(
        JSON.stringify(rest).replaceAll(`"namespace":"${namespace}"`, `"namespace":"${space}"`),
      ) as JsonObject;
      return { ...body, metadata: { name, ...(namespaced ? { namespace: space } : {}), labels: { app: 'x' } } };
    },
    collection: (space) => (namespaced ? `${root}/namespaces/${space}/${plural}` : `${root}/${plural}`),
  };
}
