import { declaredRules as table } from './generated/declared-rules.ts';

/** What a field's type declares of its values. */
export interface DeclaredRules {
  /** Absence is told from the zero value. */
  readonly isPointer: boolean;
  readonly presence?: 'required' | 'optional';
  readonly isImmutable: boolean;
  readonly isEnum: boolean;
  /** At most one of the fields of its struct that have this may be set, and at least one. */
  readonly isUnionMember: boolean;
  /** May not be decreased. */
  readonly isMonotonic: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  /** The largest number of characters. */
  readonly maxLength?: number;
  readonly maxBytes?: number;
  /** `k8s-long-name` ... */
  readonly formats: readonly string[];
  /** `NoSet`, `NoUnset`, `NoModify`, `NoAddItem`, `NoRemoveItem`. */
  readonly update: ReadonlySet<string>;
  /** The keys by which items are unique. */
  readonly keys: readonly string[];
}

let rules: ReadonlyMap<string, ReadonlyMap<string, DeclaredRules>> | undefined;

/** The rules of a struct by field; undefined if it declares none. */
export function declaredRulesOf(definition: string): ReadonlyMap<string, DeclaredRules> | undefined {
  rules ??= parsed();
  return rules.get(definition);
}

function parsed(): Map<string, Map<string, DeclaredRules>> {
  const all = new Map<string, Map<string, DeclaredRules>>();
  for (const line of table.split('\n')) {
    const [definition = '', field = '', ...words] = line.split(' ');
    const fields = all.get(definition) ?? new Map<string, DeclaredRules>();
    all.set(definition, fields.set(field, rulesOf(words)));
  }
  return all;
}

function rulesOf(words: readonly string[]): DeclaredRules {
  const has = (word: string): boolean => words.includes(word);
  const valuesOf = (name: string): string[] =>
    words.flatMap((word) => (word.startsWith(`${name}=`) ? [word.slice(name.length + 1)] : []));
  const numbers = ['minimum', 'maximum', 'maxItems', 'maxLength', 'maxBytes'].flatMap((name) =>
    valuesOf(name).map((value) => [name, Number(value)] as const),
  );
  const presence = has('required') ? 'required' : has('optional') ? 'optional' : undefined;
  return {
    isPointer: has('pointer'),
    isImmutable: has('immutable'),
    isEnum: has('enum'),
    isUnionMember: has('unionMember'),
    isMonotonic: has('monotonic'),
    update: new Set(valuesOf('update')),
    keys: valuesOf('key'),
    formats: valuesOf('format'),
    ...Object.fromEntries(numbers),
    ...(presence === undefined ? {} : { presence }),
  };
}
