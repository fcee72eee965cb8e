import type { TypeProvider } from '../check/declarations.ts';
import { type CelType, structType, types } from '../types/cel-type.ts';
import type { Value } from '../values/value.ts';
import { isReservedName } from '../values/escaped-names.ts';
import type { ConstructibleType, MessageType } from './message-types.ts';

/** A struct type, with fields by their CEL names. */
export interface StructDeclaration {
  readonly name: string;
  readonly fields: ReadonlyMap<string, CelType>;
  /** The LazyFields whose computation may pause. */
  readonly pausing?: ReadonlySet<string>;
}

/** Finds types whose names are not known in advance. */
export type TypeResolver = (name: string) => ConstructibleType | undefined;

interface Types {
  /** Types whose names are values. */
  readonly named: ReadonlyMap<string, CelType>;
  readonly messages: ReadonlyMap<string, MessageType>;
  /** Undefined where no types have been declared. */
  readonly structs: ReadonlyMap<string, StructDeclaration> | undefined;
  readonly resolve: TypeResolver;
  /** Names of fields whose computation may pause. */
  readonly pausing: readonly ReadonlySet<string>[];
}

/** Constants of enumerations. */
const constants: ReadonlyMap<string, Value> = new Map([['google.protobuf.NullValue.NULL_VALUE', 0]]);

const { bool, bytes, double, duration, int, list, map, string, timestamp, uint } = types;

/** Names that denote types wherever types are declared, though not all of them are values. */
const declaredScalars: ReadonlyMap<string, CelType> = new Map([
  ...[bool, bytes, double, int, list, map, types.null, string, uint].map((type) => [type.name, type] as const),
  ...([
    ['duration', duration],
    ['timestamp', timestamp],
  ] as const),
]);

/**
 * The types of an environment by their names:
 *
 * | type | its name is a value | can be constructed |
 * |---|---|---|
 * | of CEL and of libraries (`int`, `net.IP`) | yes | no |
 * | message that is no type of CEL (`google.protobuf.Empty`) | yes | yes |
 * | other message (`google.protobuf.Struct`, the type `map(string, dyn)`) | if it is the name of the CEL type | yes |
 * | resolved (`Object.spec`) | no | yes |
 * | struct of a schema or a variable (`kubernetes.UserInfo`), `duration`, `timestamp` | no | no, which evaluation tells |
 */
export class TypeRegistry implements TypeProvider {
  readonly #types: Types;

  private constructor(types: Types) {
    this.#types = types;
  }

  static of(named: ReadonlyMap<string, CelType>, messages: ReadonlyMap<string, MessageType>): TypeRegistry {
    return new TypeRegistry({ named, messages, structs: undefined, resolve: () => undefined, pausing: [] });
  }

  withStructs(structs: readonly StructDeclaration[]): TypeRegistry {
    const all = new Map(this.#types.structs);
    for (const struct of structs) all.set(struct.name, struct);
    const pausing = structs.flatMap((struct) => struct.pausing ?? []);
    return new TypeRegistry({ ...this.#types, structs: all, pausing: [...this.#types.pausing, ...pausing] });
  }

  /** Types that it resolves come before structs and messages of the same name. */
  withResolver(resolve: TypeResolver): TypeRegistry {
    return new TypeRegistry({ ...this.#types, resolve });
  }

  namedType(name: string): CelType | undefined {
    return this.typeValueOf(name) ?? this.#declaredType(name);
  }

  typeValueOf(name: string): CelType | undefined {
    const { named, messages } = this.#types;
    const message = messages.get(name)?.type;
    return message?.kind === 'struct' ? message : named.get(name);
  }

  constantOf(name: string): Value | undefined {
    return constants.get(name);
  }

  isStruct(name: string): boolean {
    return this.#declaredType(name) !== undefined;
  }

  #declaredType(name: string): CelType | undefined {
    const { structs, messages, resolve } = this.#types;
    const resolved = resolve(name);
    if (resolved !== undefined) return resolved.type;
    if (structs?.has(name) === true) return structType(name);
    return (structs === undefined ? undefined : declaredScalars.get(name)) ?? messages.get(name)?.type;
  }

  /** A reserved word is the escaped name of a field. */
  fieldType(struct: string, field: string): CelType | undefined {
    const { structs, messages, resolve } = this.#types;
    const resolved = resolve(struct);
    if (resolved !== undefined) return resolved.fieldType(field);
    const declared = structs?.get(struct);
    // A map has any field, wherever its name is that of a declared type.
    if (structs !== undefined && struct === map.name) return types.any;
    if (declared === undefined) return messages.get(struct)?.fields.get(field);
    const { fields } = declared;
    return fields.get(field) ?? (isReservedName(field) ? fields.get(`__${field}__`) : undefined);
  }

  mayPause(field: string): boolean {
    return this.#types.pausing.some((names) => names.has(field));
  }

  construct(struct: string, fields: ReadonlyMap<string, Value>): Value | undefined {
    const { messages, resolve } = this.#types;
    return (resolve(struct) ?? messages.get(struct))?.construct(fields);
  }
}
