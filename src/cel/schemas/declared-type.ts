import { type CelType, listType, mapType, structType } from '../types/cel-type.ts';
import type { StructDeclaration } from '../environments/type-registry.ts';
import type { DeclaredSize } from '../cost/estimated-node.ts';

/** The CEL declaration of a schema: type and size bounds. */
export interface DeclaredType {
  readonly kind: 'object' | 'map' | 'list' | 'scalar';
  /** For scalars; the types of structs, lists and maps derive from their members. */
  readonly scalar?: CelType;
  /** By escaped names. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
  readonly key?: DeclaredType;
  readonly element?: DeclaredType;
  /** Maximum of items, entries or characters. */
  readonly maxElements: number;
  /** Length of the shortest JSON encoding, in bytes. */
  readonly minSerializedSize: number;
}

export interface NamedType {
  readonly type: CelType;
  readonly structs: readonly StructDeclaration[];
}

/** The type, with names for all structs in it: `name`, `name.field`, `name.list.@idx`, `name.map.@elem`. */
export function namedType(declared: DeclaredType, name: string): NamedType {
  const structs: StructDeclaration[] = [];
  return { type: typeOf(declared, name, structs), structs };
}

function typeOf(declared: DeclaredType, name: string, structs: StructDeclaration[]): CelType {
  const { kind, element, key, fields, scalar } = declared;
  if (kind === 'list' && element !== undefined) return listType(typeOf(element, `${name}.@idx`, structs));
  if (kind === 'map' && element !== undefined && key !== undefined) {
    return mapType(typeOf(key, name, structs), typeOf(element, `${name}.@elem`, structs));
  }
  if (kind === 'scalar' && scalar !== undefined) return scalar;
  const types = new Map<string, CelType>();
  for (const [field, type] of fields ?? []) types.set(field, typeOf(type, `${name}.${field}`, structs));
  structs.push({ name, fields: types });
  return structType(name);
}

/** Size bound at a path, whose first step is a variable. */
export function declaredSizes(root: DeclaredType): DeclaredSize {
  return ([, ...steps]) => {
    let node: DeclaredType | undefined = root;
    for (const step of steps) {
      if (step === '@items' || step === '@values') node = node.element;
      else node = step === '@keys' ? node.key : node.fields?.get(step);
      if (node === undefined) return undefined;
    }
    return node.maxElements;
  };
}
