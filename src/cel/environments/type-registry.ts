import type { TypeProvider } from '../check/declarations.ts';
import { type CelType, structType } from '../types/cel-type.ts';
import type { Value } from '../values/value.ts';
import { isReservedName } from '../values/escaped-names.ts';
import type { ConstructibleType, MessageType } from './message-types.ts';

/** A struct type, with fields by their CEL names. */
export interface StructDeclaration {
  readonly name: string;
  readonly fields: ReadonlyMap<string, CelType>;
}

/** Finds types whose names are not known in advance. */
export type TypeResolver = (name: string) => ConstructibleType | undefined;

interface Types {
  readonly named: ReadonlyMap<string, CelType>;
  readonly structs: ReadonlyMap<string, StructDeclaration>;
  readonly messages: ReadonlyMap<string, MessageType>;
  readonly resolve: TypeResolver;
}

/** The types of an environment: named types, structs of schemas, constructible messages, and what is resolved. */
export class TypeRegistry implements TypeProvider {
  readonly #types: Types;

  private constructor(types: Types) {
    this.#types = types;
  }

  static of(named: ReadonlyMap<string, CelType>, messages: ReadonlyMap<string, MessageType>): TypeRegistry {
    return new TypeRegistry({ named, messages, structs: new Map(), resolve: () => undefined });
  }

  withStructs(structs: readonly StructDeclaration[]): TypeRegistry {
    const all = new Map(this.#types.structs);
    for (const struct of structs) all.set(struct.name, struct);
    return new TypeRegistry({ ...this.#types, structs: all });
  }

  /** Types that it resolves come before others of the same name. */
  withResolver(resolve: TypeResolver): TypeRegistry {
    return new TypeRegistry({ ...this.#types, resolve });
  }

  namedType(name: string): CelType | undefined {
    const { named, structs, messages, resolve } = this.#types;
    const constructible = resolve(name) ?? messages.get(name);
    return constructible?.type ?? named.get(name) ?? (structs.has(name) ? structType(name) : undefined);
  }

  isStruct(name: string): boolean {
    const { structs, messages, resolve } = this.#types;
    return structs.has(name) || messages.has(name) || resolve(name) !== undefined;
  }

  isOnlyDeclared(name: string): boolean {
    const { named, structs, messages, resolve } = this.#types;
    return structs.has(name) && !named.has(name) && !messages.has(name) && resolve(name) === undefined;
  }

  /** A reserved word is the escaped name of a field. */
  fieldType(struct: string, field: string): CelType | undefined {
    const { structs, messages, resolve } = this.#types;
    const resolved = resolve(struct);
    if (resolved !== undefined) return resolved.fieldType(field);
    const message = messages.get(struct);
    if (message !== undefined) return message.fields.get(field);
    const fields = structs.get(struct)?.fields;
    return fields?.get(field) ?? (isReservedName(field) ? fields?.get(`__${field}__`) : undefined);
  }

  construct(struct: string, fields: ReadonlyMap<string, Value>): Value | undefined {
    const { messages, resolve } = this.#types;
    return (resolve(struct) ?? messages.get(struct))?.construct(fields);
  }
}
