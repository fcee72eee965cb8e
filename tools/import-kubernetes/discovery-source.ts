// The published discovery documents of the release.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** A group and its versions, preferred first. */
export interface ApiGroup {
  readonly name: string;
  readonly versions: readonly string[];
}

/** All groups in discovery order, the core group first. */
export function readGroups(kubernetesDir: string): ApiGroup[] {
  const { groups } = readDocument<{ groups: { name: string; versions: { version: string }[] }[] }>(
    kubernetesDir,
    'apis.json',
  );
  return [
    { name: '', versions: ['v1'] },
    ...groups.map(({ name, versions }) => ({ name, versions: versions.map(({ version }) => version) })),
  ];
}

/** Resources and subresources of a group version in discovery order. */
export function readApiResources(kubernetesDir: string, group: string, version: string): readonly ApiResource[] {
  const file = group === '' ? `api__${version}.json` : `apis__${group}__${version}.json`;
  return readDocument<{ resources: ApiResource[] }>(kubernetesDir, file).resources;
}

function readDocument<T>(kubernetesDir: string, file: string): T {
  // Documents of the release, of a known shape.
  return JSON.parse(readFileSync(join(kubernetesDir, 'api/discovery', file), 'utf8')) as T;
}
