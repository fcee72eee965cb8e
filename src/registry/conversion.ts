import type { GroupVersionKind } from '../api/group-version.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { Soon } from '../api/soon.ts';

/** Makes objects of one version of a kind objects of another. */
export interface Converter {
  /** Whether it takes others who must be waited for, as a webhook does. */
  readonly waits: boolean;
  /** All of one kind and version. May change and answer the objects it was given; answers as many, in their order. */
  convert(objects: readonly KubernetesObject[], target: GroupVersionKind): Soon<readonly KubernetesObject[]>;
}

/** The ways between the version of a kind that is served and the one that is stored. */
export interface Conversion {
  /** Whether the two are one, so that stored bytes go out as they are and nothing is converted. */
  readonly servesStoredVersion: boolean;
  /** Whether the ways below answer promises. What shows many objects then converts them together before it encodes them. */
  readonly waits: boolean;
  /** These may change and answer what they were given. */
  toStored(object: KubernetesObject): Soon<KubernetesObject>;
  fromStored(object: KubernetesObject): Soon<KubernetesObject>;
  allFromStored(objects: readonly KubernetesObject[]): Soon<readonly KubernetesObject[]>;
}

export interface ConversionOptions {
  readonly converter: Converter;
  /** Gives an object of the stored version the form in which it is kept. */
  readonly normalize?: (object: KubernetesObject) => void;
  /** What is stored may be in any version: the converter leaves objects alone that are in the wanted one. */
  readonly mixesVersions?: boolean;
}

export function conversionBetween(
  served: GroupVersionKind,
  stored: GroupVersionKind,
  { converter, normalize, mixesVersions = false }: ConversionOptions,
): Conversion {
  const servesStoredVersion = !mixesVersions && stored.group === served.group && stored.version === served.version;
  const normalized = (object: KubernetesObject): KubernetesObject => {
    normalize?.(object);
    return object;
  };
  if (servesStoredVersion) {
    const asItIs = <T>(value: T): T => value;
    return { servesStoredVersion, waits: false, toStored: normalized, fromStored: asItIs, allFromStored: asItIs };
  }
  const one = (object: KubernetesObject, target: GroupVersionKind): Soon<KubernetesObject> => {
    const converted = converter.convert([object], target);
    return converted instanceof Promise ? converted.then(only) : only(converted);
  };
  return {
    servesStoredVersion,
    waits: converter.waits,
    toStored(object) {
      const converted = one(object, stored);
      return converted instanceof Promise ? converted.then(normalized) : normalized(converted);
    },
    fromStored: (object) => one(object, served),
    allFromStored: (objects) => converter.convert(objects, served),
  };
}

function only([object]: readonly KubernetesObject[]): KubernetesObject {
  if (object === undefined) throw new Error('a converter answers as many objects as it was given');
  return object;
}
