import { formatApiVersion, type GroupVersionKind } from '../api/group-version.ts';
import type { JsonObject } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { Converter } from '../registry/conversion.ts';
import { autoscalerToV1, autoscalerToV2 } from './conversions/autoscaler.ts';
import {
  claimFromBeta1,
  claimToBeta1,
  sliceFromBeta1,
  sliceToBeta1,
  templateFromBeta1,
  templateToBeta1,
} from './conversions/devices.ts';
import { definitionToBeta1 } from './conversions/definitions.ts';
import { olderVersions } from './conversions/older-versions.ts';
import { renameFields } from './conversions/rename.ts';

/** What an object becomes in another version; may change and answer the object it was given. */
type Conversion = (object: JsonObject) => JsonObject;

/** Fields of the core group's events and those of events.k8s.io/v1. */
const eventFields: readonly (readonly [core: string, named: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

/** Versions of a kind whose shapes differ, by the version that is asked for; all others say the same with the same fields. */
const conversions: { readonly [target: string]: Conversion } = {
  'v1/Event': (event) =>
    renameFields(
      event,
      eventFields.map(([core, named]) => [named, core] as const),
    ),
  'events.k8s.io/v1/Event': (event) => renameFields(event, eventFields),
  'autoscaling/v1/HorizontalPodAutoscaler': autoscalerToV1,
  'autoscaling/v2/HorizontalPodAutoscaler': autoscalerToV2,
  'apiextensions.k8s.io/v1beta1/CustomResourceDefinition': definitionToBeta1,
  'resource.k8s.io/v1beta1/ResourceClaim': claimToBeta1,
  'resource.k8s.io/v1beta1/ResourceClaimTemplate': templateToBeta1,
  'resource.k8s.io/v1beta1/ResourceSlice': sliceToBeta1,
  'resource.k8s.io/v1beta2/ResourceClaim': claimFromBeta1,
  'resource.k8s.io/v1beta2/ResourceClaimTemplate': templateFromBeta1,
  'resource.k8s.io/v1beta2/ResourceSlice': sliceFromBeta1,
  'resource.k8s.io/v1/ResourceClaim': claimFromBeta1,
  'resource.k8s.io/v1/ResourceClaimTemplate': templateFromBeta1,
  'resource.k8s.io/v1/ResourceSlice': sliceFromBeta1,
};

/** Converts between the versions of built-in kinds. */
export const builtInConverter: Converter = {
  waits: false,
  convert: (objects, target) => objects.map((object) => convertBuiltIn(object, target)),
};

export function convertBuiltIn(object: KubernetesObject, target: GroupVersionKind): KubernetesObject {
  const apiVersion = formatApiVersion(target.group, target.version);
  if (object.apiVersion === apiVersion) return object;
  // Objects are JSON-shaped.
  const given = object as unknown as JsonObject;
  const older = olderVersions[`${object.apiVersion}/${object.kind}`]?.(given) ?? given;
  const converted = conversions[`${apiVersion}/${target.kind}`]?.(older) ?? older;
  return { ...(converted as unknown as KubernetesObject), apiVersion, kind: target.kind };
}
