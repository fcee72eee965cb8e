import type { Field, Structure } from './schema.ts';

/**
 * Go names of embedded structs, by the name of the outer struct and the protobuf number of the embedded
 * message: type errors include them in the path (`spec.volumes.VolumeSource.hostPath`), unlike JSON.
 */
const embeddedNames: { readonly [goName: string]: { readonly [number: number]: string } } = {
  ConfigMapEnvSource: { 1: 'LocalObjectReference' },
  ConfigMapKeySelector: { 1: 'LocalObjectReference' },
  ConfigMapProjection: { 1: 'LocalObjectReference' },
  ConfigMapVolumeSource: { 1: 'LocalObjectReference' },
  DeviceAllocationConfiguration: { 3: 'DeviceConfiguration' },
  DeviceClaimConfiguration: { 2: 'DeviceConfiguration' },
  DeviceClassConfiguration: { 1: 'DeviceConfiguration' },
  EphemeralContainer: { 1: 'EphemeralContainerCommon' },
  IngressRule: { 2: 'IngressRuleValue' },
  NamedRuleWithOperations: { 2: 'RuleWithOperations' },
  PersistentVolumeSpec: { 2: 'PersistentVolumeSource' },
  Probe: { 1: 'ProbeHandler' },
  RuleWithOperations: { 2: 'Rule' },
  SecretEnvSource: { 1: 'LocalObjectReference' },
  SecretKeySelector: { 1: 'LocalObjectReference' },
  SecretProjection: { 1: 'LocalObjectReference' },
  Volume: { 2: 'VolumeSource' },
};

/** Names of the embedded structs between `structure` and its inlined `field`, outermost first. */
export function embeddedPath(structure: Structure, field: Field): readonly string[] {
  if (field.number === undefined) return field.name === 'kind' || field.name === 'apiVersion' ? ['TypeMeta'] : [];
  const names: string[] = [];
  let outer = structure.goName;
  for (const number of field.messagePath ?? []) {
    const name = embeddedNames[outer]?.[number];
    if (name === undefined) break;
    names.push(name);
    outer = name;
  }
  return names;
}
