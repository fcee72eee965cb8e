import type { TypeProvider } from '../check/declarations.ts';
import { type CelType, structType } from '../types/cel-type.ts';
import type { Value } from '../values/value.ts';
import { isReservedName } from '../values/escaped-names.ts';
import type { MessageType } from './message-types.ts';

/** A struct type, with fields by their CEL names. */
export interface StructDeclaration {
  readonly name: string;
  readonly fields: ReadonlyMap<string, CelType>;
}

/** The types of an environment: named types, structs of schemas, and constructible messages. */
export class TypeRegistry implements TypeProvider {
  readonly #named: ReadonlyMap<string, CelType>;
  readonly #structs: ReadonlyMap<string, StructDeclaration>;
  readonly #messages: ReadonlyMap<string, MessageType>;

  constructor(
    named: ReadonlyMap<string, CelType>,
    structs: ReadonlyMap<string, StructDeclaration>,
    messages: ReadonlyMap<string, MessageType>,
  ) {
    this.#named = named;
    this.#structs = structs;
    this.#messages = messages;
  }

  withStructs(structs: readonly StructDeclaration[]): TypeRegistry {
    const all = new Map(this.#structs);
    for (const struct of structs) all.set(struct.name, struct);
    return new TypeRegistry(this.#named, all, this.#messages);
  }

  namedType(name: string): CelType | undefined {
    const message = this.#messages.get(name);
    if (message !== undefined) return message.type;
    return this.#named.get(name) ?? (this.#structs.has(name) ? structType(name) : undefined);
  }

  isStruct(name: string): boolean {
    return this.#structs.has(name) || this.#messages.has(name);
  }

  /** A reserved word is the escaped name of a field. */
  fieldType(struct: string, field: string): CelType | undefined {
    const message = this.#messages.get(struct);
    if (message !== undefined) return message.fields.get(field);
    const fields = this.#structs.get(struct)?.fields;
    return fields?.get(field) ?? (isReservedName(field) ? fields?.get(`__${field}__`) : undefined);
  }

  construct(struct: string, fields: ReadonlyMap<string, Value>): Value | undefined {
    return this.#messages.get(struct)?.construct(fields);
  }
}
