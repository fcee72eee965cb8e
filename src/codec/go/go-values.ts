import { JsonMembers, JsonNumber, type JsonTree } from '../../api/json/json-tree.ts';

/** JSON that does not fit a Go type; the message is that of Go's decoder. */
export class GoDecodeError extends Error {
  override readonly name = 'GoDecodeError';
  readonly code = 'GO_DECODE';
}

/** How the decoders that Go programs use differ. */
export interface GoDialect {
  /** Names of fields match in any case. */
  readonly foldsNames: boolean;
  /** Errors name the struct and the path of the field. */
  readonly namesFields: boolean;
  /** A repeated key is an error. */
  readonly refusesRepeats: boolean;
}

export const goDialects = {
  /** Package encoding/json. */
  standard: { foldsNames: true, namesFields: true, refusesRepeats: false },
  /** The decoder of go-jose, a fork of an early encoding/json. */
  jose: { foldsNames: false, namesFields: false, refusesRepeats: true },
  /** Package sigs.k8s.io/json. */
  kubernetes: { foldsNames: false, namesFields: true, refusesRepeats: false },
} as const satisfies { readonly [name: string]: GoDialect };

/** A Go type, as far as decoding depends on it. */
export interface GoType<Value> {
  /** As errors have it. */
  readonly name: string;
  /** What a variable has before anything is decoded. */
  readonly zero: Value;
  /** Reads what is not null, or null if the type decodes itself. */
  read(tree: JsonTree, decoding: GoDecoding): Value;
  /** Null is passed to `read`, too. */
  readonly readsNull?: boolean;
  /** Null leaves a value from an earlier member of the same name as it is. */
  readonly isUnmovedByNull?: boolean;
}

/** What a type holds. */
export type GoValue<Type> = Type extends GoType<infer Value> ? Value : never;

/** The value of a document. Throws a GoDecodeError with the first mismatch. */
export function decodeGo<Value>(type: GoType<Value>, tree: JsonTree, dialect: GoDialect): Value {
  const decoding = new GoDecoding(dialect);
  const value = decoding.value(type, tree);
  if (decoding.problem !== undefined) throw new GoDecodeError(decoding.problem);
  return value;
}

/** The decoding of one document: mismatches do not end it, the first one is reported. */
export class GoDecoding {
  readonly dialect: GoDialect;
  problem: string | undefined;
  #struct = '';
  readonly #fields: string[] = [];

  constructor(dialect: GoDialect) {
    this.dialect = dialect;
  }

  value<Value>(type: GoType<Value>, tree: JsonTree): Value {
    return tree === null && type.readsNull !== true ? type.zero : type.read(tree, this);
  }

  /** Reads a field of a struct. */
  field<Value>(structName: string, name: string, type: GoType<Value>, tree: JsonTree): Value {
    const outer = this.#struct;
    this.#struct = structName;
    this.#fields.push(name);
    const value = this.value(type, tree);
    this.#fields.pop();
    this.#struct = outer;
    return value;
  }

  /** Notes a value of another type. `what`: the value, unless its type says it. */
  mismatch(goType: string, tree: JsonTree, what = jsonWord(tree)): void {
    const path = this.#fields.join('.');
    const isNamed = this.dialect.namesFields && path !== '';
    const target = isNamed ? `struct field ${this.#struct}.${path}` : 'value';
    this.fail(`json: cannot unmarshal ${what} into Go ${target} of type ${goType}`);
  }

  fail(problem: string): void {
    this.problem ??= problem;
  }

  /** Ends the decoding. */
  end(problem: string): never {
    throw new GoDecodeError(problem);
  }
}

/** The word of Go's decoders for the type of a value. */
export function jsonWord(tree: JsonTree): string {
  if (tree instanceof JsonNumber) return 'number';
  if (tree instanceof JsonMembers) return 'object';
  if (tree === null) return 'null';
  return Array.isArray(tree) ? 'array' : typeof tree === 'boolean' ? 'bool' : 'string';
}
