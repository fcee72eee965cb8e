import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';

/** Fields that resource.k8s.io/v1beta1 has in a request itself, and later versions below `exactly`. */
const exactFields: ReadonlySet<string> = new Set([
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'tolerations',
  'capacity',
  'derivedAttributes',
]);

/** For claims, whose requests are in `spec.devices`. */
export const claimToBeta1 = (claim: JsonObject): JsonObject => mapRequests(claim, ['spec'], flatten);
export const claimFromBeta1 = (claim: JsonObject): JsonObject => mapRequests(claim, ['spec'], nest);
/** For claim templates, whose requests are in `spec.spec.devices`. */
export const templateToBeta1 = (template: JsonObject): JsonObject => mapRequests(template, ['spec', 'spec'], flatten);
export const templateFromBeta1 = (template: JsonObject): JsonObject => mapRequests(template, ['spec', 'spec'], nest);
/** For slices, whose devices have everything but their name below `basic` in v1beta1. */
export const sliceToBeta1 = (slice: JsonObject): JsonObject => mapItems(slice, ['spec', 'devices'], intoBasic);
export const sliceFromBeta1 = (slice: JsonObject): JsonObject => mapItems(slice, ['spec', 'devices'], outOfBasic);

type ItemConversion = (item: JsonObject) => JsonObject;

function mapRequests(object: JsonObject, path: readonly string[], convert: ItemConversion): JsonObject {
  return mapItems(object, [...path, 'devices', 'requests'], convert);
}

/** Converts every item of the list at `path`; returns the object unchanged without such a list. */
function mapItems(object: JsonObject, path: readonly string[], convert: ItemConversion): JsonObject {
  const [field = '', ...rest] = path;
  const value = object[field];
  if (rest.length === 0) {
    if (!Array.isArray(value)) return object;
    return { ...object, [field]: value.map((item): JsonValue => (isJsonObject(item) ? convert(item) : item)) };
  }
  return isJsonObject(value) ? { ...object, [field]: mapItems(value, rest, convert) } : object;
}

function flatten({ exactly, ...request }: JsonObject): JsonObject {
  return isJsonObject(exactly) ? { ...request, ...exactly } : request;
}

function nest(request: JsonObject): JsonObject {
  const isExact = ([field]: readonly [string, JsonValue]): boolean => exactFields.has(field);
  const fields = Object.entries(request);
  if (!fields.some(isExact)) return request;
  return {
    ...Object.fromEntries(fields.filter((field) => !isExact(field))),
    exactly: Object.fromEntries(fields.filter(isExact)),
  };
}

function intoBasic({ name = '', ...basic }: JsonObject): JsonObject {
  return { name, basic };
}

function outOfBasic({ basic, ...device }: JsonObject): JsonObject {
  return isJsonObject(basic) ? { ...device, ...basic } : device;
}
