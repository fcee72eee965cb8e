import type { PersistentVolumeSpec, Volume } from '../../../schema/kubernetes/generated/types/core-v1.ts';

interface EndedVolume {
  readonly field: keyof Volume;
  /** The field name in warnings, if different. */
  readonly named?: string;
  readonly text: string;
}

/** Removed and deprecated volume types, in the order in which they are checked. */
const endedVolumes: readonly EndedVolume[] = [
  { field: 'photonPersistentDisk', text: 'deprecated in v1.11, non-functional in v1.16+' },
  { field: 'gitRepo', text: 'deprecated in v1.11, and disabled by default in v1.33+' },
  { field: 'scaleIO', text: 'deprecated in v1.16, non-functional in v1.22+' },
  { field: 'flocker', text: 'deprecated in v1.22, non-functional in v1.25+' },
  { field: 'storageos', named: 'storageOS', text: 'deprecated in v1.22, non-functional in v1.25+' },
  { field: 'quobyte', text: 'deprecated in v1.22, non-functional in v1.25+' },
  { field: 'glusterfs', text: 'deprecated in v1.25, non-functional in v1.26+' },
  { field: 'cephfs', text: 'deprecated in v1.28, non-functional in v1.31+' },
  { field: 'rbd', text: 'deprecated in v1.28, non-functional in v1.31+' },
];

/** Types without a warning in persistent volumes. */
const silentInPersistentVolumes: ReadonlySet<string> = new Set(['flocker', 'quobyte']);

export function endedVolumeWarnings(path: string, volume: Volume): string[] {
  const warnings: string[] = [];
  for (const { field, named = field, text } of endedVolumes) {
    if (volume[field] !== undefined) warnings.push(`${path}.${named}: ${text}`);
  }
  return warnings;
}

/** Warnings about a persistent volume of a type that is no longer supported. */
export function endedPersistentVolumeWarnings(spec: PersistentVolumeSpec): string[] {
  const sources: { readonly [field: string]: unknown } = { ...spec };
  return endedVolumes.flatMap(({ field, named = field, text }) =>
    sources[field] === undefined || silentInPersistentVolumes.has(field) ? [] : [`spec.${named}: ${text}`],
  );
}
