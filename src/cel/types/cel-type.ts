/** A CEL type. Types are compared by kind, name and parameters, not by identity. */
export interface CelType {
  readonly kind: TypeKind;
  readonly name: string;
  readonly params: readonly CelType[];
  /** Nullable. */
  readonly isNullable?: boolean;
}

export type TypeKind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'param'
  | 'uint';

function simple(kind: TypeKind, name: string): CelType {
  return { kind, name, params: [] };
}

const dyn = simple('dyn', 'dyn');

export const types = {
  any: simple('any', 'google.protobuf.Any'),
  bool: simple('bool', 'bool'),
  bytes: simple('bytes', 'bytes'),
  double: simple('double', 'double'),
  duration: simple('duration', 'google.protobuf.Duration'),
  dyn,
  error: simple('error', 'error'),
  int: simple('int', 'int'),
  null: simple('null', 'null_type'),
  string: simple('string', 'string'),
  timestamp: simple('timestamp', 'google.protobuf.Timestamp'),
  type: simple('type', 'type'),
  uint: simple('uint', 'uint'),
  /** The dynamic type. */
  unknown: simple('error', 'unknown'),
  /** Lists, maps and optionals of dyn. */
  list: listType(dyn),
  map: mapType(dyn, dyn),
  optional: optionalType(dyn),
} as const;

const { bool, bytes, double, duration, int, string, timestamp, uint } = types;

/** Ordered types. */
export const comparableTypes: readonly CelType[] = [int, uint, double, bool, duration, timestamp, string, bytes];

export function listType(element: CelType): CelType {
  return { kind: 'list', name: 'list', params: [element] };
}

export function mapType(key: CelType, value: CelType): CelType {
  return { kind: 'map', name: 'map', params: [key, value] };
}

export function optionalType(value: CelType): CelType {
  return opaqueType('optional_type', value);
}

export function opaqueType(name: string, ...params: CelType[]): CelType {
  return { kind: 'opaque', name, params };
}

export function structType(name: string): CelType {
  return simple('struct', name);
}

/** A type parameter of a declaration. */
export function paramType(name: string): CelType {
  return simple('param', name);
}

/** The type of a type. */
export function typeOfType(type: CelType): CelType {
  return { kind: 'type', name: 'type', params: [type] };
}

export function nullableType(type: CelType): CelType {
  return { ...type, isNullable: true };
}

/** The first parameter: element type of a list, value type of an optional; dyn when there is none. */
export function elementOf({ params: [first] }: CelType): CelType {
  return first ?? types.dyn;
}

/** The second parameter: value type of a map. */
export function valueOf({ params: [, second] }: CelType): CelType {
  return second ?? types.dyn;
}

export function isDyn({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'any';
}

export function isOptionalType({ kind, name }: CelType): boolean {
  return kind === 'opaque' && name === 'optional_type';
}

export function isSameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.params.length !== b.params.length) return false;
  return a.params.every((param, index) => isSameType(param, b.params[index] ?? types.dyn));
}

/** Equality up to the names of type parameters. */
export function isEquivalentType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.params.length !== b.params.length) return false;
  if (a.kind !== 'param' && a.name !== b.name) return false;
  return a.params.every((param, index) => isEquivalentType(param, b.params[index] ?? types.dyn));
}

const shortNames: { readonly [K in TypeKind]?: string } = {
  any: 'any',
  duration: 'duration',
  error: '!error!',
  null: 'null',
  timestamp: 'timestamp',
};

/** As the checker's messages print it: `list(string)`, `wrapper(int)`. */
export function typeText(type: CelType): string {
  const short = shortNames[type.kind];
  if (short !== undefined) return short;
  if (type.params.length > 0) return `${type.name}(${type.params.map(typeText).join(', ')})`;
  return declaredName(type);
}

/** As Go prints it: with full names. */
export function declaredText(type: CelType): string {
  if (type.params.length === 0) return declaredName(type);
  return `${type.name}(${type.params.map(declaredText).join(', ')})`;
}

/** The name in messages. */
export function declaredName({ kind, name, isNullable }: CelType): string {
  return isNullable === true && kind !== 'null' ? `wrapper(${name})` : name;
}

/** `string.(int, dyn)` for the arguments of a member call. */
export function argumentsText(args: readonly CelType[], isMember: boolean): string {
  const [target, ...rest] = args.map(typeText);
  return isMember ? `${target ?? ''}.(${rest.join(', ')})` : `(${args.map(typeText).join(', ')})`;
}
