import { formatApiVersion, type GroupVersionKind } from '../../api/meta/group-version.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { soon, type Soon } from '../../api/scheduling/soon.ts';

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
  /**
   * Whether the methods below return promises for what is stored. Lists and watches then convert objects in groups
   * before encoding.
   */
  readonly waits: boolean;
  /** As of the converter, which is asked about objects from other versions even where all that is stored is in this. */
  readonly converterWaits: boolean;
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
}

export function conversionBetween(
  served: GroupVersionKind,
  stored: GroupVersionKind,
  { converter, normalize }: ConversionOptions,
): Conversion {
  const servesStoredVersion = stored.group === served.group && stored.version === served.version;
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
      converterWaits: false,
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
    converterWaits: converter.waits,
    renames: converter.renames === true,
    toStored(object) {
      const converted = one(object, stored);
      return converted instanceof Promise ? converted.then(normalized) : normalized(converted);
    },
    fromStored: (object) => one(object, served),
    allFromStored: (objects) => converter.convert(objects, served),
  };
}

/**
 * The conversion of a kind whose store converts what it reads and writes itself: objects are in the served version,
 * unless they come from another version. `storesOthers`: what is stored may be in another one.
 */
export function conversionTo(
  served: GroupVersionKind,
  converter: Converter,
  { storesOthers }: { readonly storesOthers: boolean },
): Conversion {
  const apiVersion = formatApiVersion(served.group, served.version);
  const toServed = inVersion(served, converter);
  return {
    servesStoredVersion: !storesOthers,
    serves: (object) => object.apiVersion === apiVersion,
    waits: converter.waits && storesOthers,
    converterWaits: converter.waits,
    renames: false,
    toStored: toServed,
    fromStored: toServed,
    allFromStored: (objects) =>
      converter.waits ? converter.convert(objects, served) : objects.map((object) => withoutWaiting(toServed(object))),
  };
}

/** Converts objects of any version to one of them. */
export function inVersion(
  target: GroupVersionKind,
  converter: Converter,
): (object: KubernetesObject) => Soon<KubernetesObject> {
  const apiVersion = formatApiVersion(target.group, target.version);
  return (object) => (object.apiVersion === apiVersion ? object : soon(converter.convert([object], target), only));
}

/** What a converter that need not be waited for returns. */
export function withoutWaiting(converted: Soon<KubernetesObject>): KubernetesObject {
  if (converted instanceof Promise) throw new Error('the conversion is asynchronous');
  return converted;
}

function only([object]: readonly KubernetesObject[]): KubernetesObject {
  if (object === undefined) throw new Error('the converter returned a different number of objects');
  return object;
}
