import type { DeclaredSize } from '../cost/estimated-node.ts';
import { bindingsLibrary } from '../libraries/bindings.ts';
import { includesLibrary } from '../libraries/lists.ts';
import { quantityType } from '../libraries/quantities.ts';
import { declaredSizes, type DeclaredType, namedType } from '../schemas/declared-type.ts';
import { type CelType, types } from '../types/cel-type.ts';
import type { Environment } from './environment.ts';
import { type Minor, newExpressionEnvironment } from './kubernetes.ts';

/** Features of devices, by feature gates. */
export interface DeviceFeatures {
  /** `device.allowMultipleAllocations` (DRAConsumableCapacity). */
  readonly sharing: boolean;
  /** Attributes may be lists (DRAListTypeAttributes). */
  readonly lists: boolean;
}

/** What expressions about devices are compiled against. */
export interface DeviceEnvironment {
  readonly environment: Environment;
  /** The type of attributes, whose values are of any type. */
  readonly attribute: CelType;
  readonly declaredSize: DeclaredSize;
}

const maxDomainLength = 63;
const maxNameLength = 32;
const maxDriverLength = 63;
const maxValueLength = 64;
const maxEntries = 32;

function scalar(type: CelType, maxElements: number): DeclaredType {
  return { kind: 'scalar', scalar: type, maxElements, minSerializedSize: 0 };
}

/** By domain and name. */
function qualified(element: DeclaredType): DeclaredType {
  const map = (keyLength: number, of: DeclaredType): DeclaredType => {
    return {
      kind: 'map',
      key: scalar(types.string, keyLength),
      element: of,
      maxElements: maxEntries,
      minSerializedSize: 0,
    };
  };
  return map(maxDomainLength, map(maxNameLength, element));
}

function deviceType({ sharing }: DeviceFeatures, attribute: CelType): DeclaredType {
  const fields = new Map([
    ['driver', scalar(types.string, maxDriverLength)],
    ['attributes', qualified(scalar(attribute, maxValueLength))],
    ['capacity', qualified(scalar(quantityType, 0))],
  ]);
  if (sharing) fields.set('allowMultipleAllocations', scalar(types.bool, 1));
  return { kind: 'object', fields, maxElements: 0, minSerializedSize: 0 };
}

/** Path segments that stand for all parts of a list or map. */
const wildcards: ReadonlySet<string> = new Set(['@items', '@keys', '@values']);

/**
 * Only the device has declared sizes. An attribute selected by name, as in `device.attributes["a"].b`, has the size of
 * any attribute.
 */
function withNamedAttributes(declaredSize: DeclaredSize): DeclaredSize {
  return (path) => {
    const [variable, field, , name = ''] = path;
    if (variable !== 'device') return undefined;
    const isNamed = field === 'attributes' && name !== '' && !wildcards.has(name);
    return declaredSize(isNamed ? path.with(3, '@values') : path);
  };
}

const made = new Map<string, DeviceEnvironment>();

/** For new expressions, which must be valid in the release; features apply in every release. */
export function deviceEnvironment(minor: Minor, features: DeviceFeatures): DeviceEnvironment {
  const key = JSON.stringify([minor, features.sharing, features.lists]);
  const known = made.get(key) ?? makeEnvironment(minor, features);
  made.set(key, known);
  return known;
}

function makeEnvironment(minor: Minor, features: DeviceFeatures): DeviceEnvironment {
  const attribute = features.lists ? types.dyn : types.any;
  const declared = deviceType(features, attribute);
  const { type, structs } = namedType(declared, 'kubernetes.DRADevice');
  const base = newExpressionEnvironment(minor)
    .withLibrary(bindingsLibrary)
    .with([['device', type]], structs);
  return {
    environment: features.lists ? base.withLibrary(includesLibrary) : base,
    attribute,
    declaredSize: withNamedAttributes(declaredSizes(declared)),
  };
}
