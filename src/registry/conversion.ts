import { formatApiVersion, type GroupVersionKind } from '../api/group-version.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { Soon } from '../api/soon.ts';

/** Converts objects between versions of a kind. */
export interface Converter {
  /** Whether conversion is asynchronous, as through a webhook. */
  readonly waits: boolean;
  /** Whether all versions have the same fields, except those that some lack. */
  readonly renames?: boolean;
  /**
   * Objects must be of one kind and version. May modify and return its arguments; results have the same number and
   * order.
   */
  convert(objects: readonly KubernetesObject[], target: GroupVersionKind): Soon<readonly KubernetesObject[]>;
}

/** Conversion between the served version of a kind and its storage version. */
export interface Conversion {
  /** Whether the two are the same, so that stored bytes are sent unchanged and nothing is converted. */
  readonly servesStoredVersion: boolean;
  /** Whether an object is in the served version, so that `fromStored` would return it as it is. */
  serves(object: Readonly<KubernetesObject>): boolean;
  /** Whether the methods below return promises. Lists and watches then convert objects in groups before encoding. */
  readonly waits: boolean;
  /** As of the converter. */
  readonly renames: boolean;
  /** These may modify and return their argument. */
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
    return {
      servesStoredVersion,
      serves: () => true,
      waits: false,
      renames: true,
      toStored: normalized,
      fromStored: asItIs,
      allFromStored: asItIs,
    };
  }
  const one = (object: KubernetesObject, target: GroupVersionKind): Soon<KubernetesObject> => {
    const converted = converter.convert([object], target);
    return converted instanceof Promise ? converted.then(only) : only(converted);
  };
  return {
    servesStoredVersion,
    serves: () => false,
    waits: converter.waits,
    renames: converter.renames === true,
    toStored(object) {
      const converted = one(object, stored);
      return converted instanceof Promise ? converted.then(normalized) : normalized(converted);
    },
    fromStored: (object) => one(object, served),
    allFromStored: (objects) => converter.convert(objects, served),
  };
}

/** Without waiting. */
export interface SynchronousConversion extends Conversion {
  toStored(object: KubernetesObject): KubernetesObject;
  fromStored(object: KubernetesObject): KubernetesObject;
  allFromStored(objects: readonly KubernetesObject[]): readonly KubernetesObject[];
}

/**
 * The conversion of a kind whose store converts what it reads and writes itself: objects are in the served version,
 * unless they come from another version.
 */
export function conversionTo(served: GroupVersionKind, converter: Converter): SynchronousConversion {
  const apiVersion = formatApiVersion(served.group, served.version);
  const serves = (object: Readonly<KubernetesObject>): boolean => object.apiVersion === apiVersion;
  const inVersion = (object: KubernetesObject): KubernetesObject => {
    if (serves(object)) return object;
    const converted = converter.convert([object], served);
    if (converted instanceof Promise) throw new Error(`the conversion of ${served.kind} is asynchronous`);
    return only(converted);
  };
  return {
    servesStoredVersion: false,
    serves,
    waits: false,
    renames: false,
    toStored: inVersion,
    fromStored: inVersion,
    allFromStored: (objects) => objects.map(inVersion),
  };
}

function only([object]: readonly KubernetesObject[]): KubernetesObject {
  if (object === undefined) throw new Error('the converter returned a different number of objects');
  return object;
}
