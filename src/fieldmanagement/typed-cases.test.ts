import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../api/json/json.ts';
import { compareTyped } from './compare.ts';
import { readFieldsV1, writeFieldsV1 } from './fields-v1.ts';
import { mergeTyped } from './merge.ts';
import { reconcileOwned } from './reconcile.ts';
import { extractFields, extractWithKeys } from './testdata/extract.ts';
import { removeFields } from './remove-fields.ts';
import { casesOf, typeOfCase } from './testdata/read-schema.ts';
import { toFieldSet } from './to-field-set.ts';
import { typedValue } from './validate.ts';

/** One call of the reference and its result; sets are in the form of managedFields. */
interface TypedCase {
  readonly op: string;
  readonly schema: string;
  readonly type: string;
  readonly left: JsonValue;
  readonly right?: JsonValue;
  readonly set?: JsonObject;
  readonly allowDuplicates?: boolean;
  readonly withKeys?: boolean;
  readonly result?: JsonValue;
  readonly added?: JsonObject;
  readonly modified?: JsonObject;
  readonly removed?: JsonObject;
  readonly error?: string;
}

const runs: { readonly [op: string]: (each: TypedCase) => unknown } = {
  Validate: ({ schema, type, left, allowDuplicates = false }) => {
    typedValue(typeOfCase(schema, type), left, { allowDuplicates });
    return undefined;
  },
  ToFieldSet: ({ schema, type, left }) => writeFieldsV1(toFieldSet({ type: typeOfCase(schema, type), value: left })),
  Merge: ({ schema, type: name, left, right }) => {
    const type = typeOfCase(schema, name);
    return mergeTyped({ type, value: left }, { type, value: right }).value ?? null;
  },
  Compare: ({ schema, type: name, left, right }) => {
    const type = typeOfCase(schema, name);
    const { added, modified, removed } = compareTyped({ type, value: left }, { type, value: right });
    return {
      added: writeFieldsV1(added),
      modified: writeFieldsV1(modified),
      removed: writeFieldsV1(removed),
    };
  },
  Remove: ({ schema, type, left, set }) =>
    removeFields({ type: typeOfCase(schema, type), value: left }, readFieldsV1(set).set).value,
  Extract: ({ schema, type, left, set, withKeys }) => {
    const extract = withKeys === true ? extractWithKeys : extractFields;
    return extract({ type: typeOfCase(schema, type), value: left }, readFieldsV1(set).set).value;
  },
  Reconcile: ({ schema, type, set }) => {
    const reconciled = reconcileOwned(typeOfCase(schema, type), readFieldsV1(set).set);
    return reconciled === undefined ? null : writeFieldsV1(reconciled);
  },
};

function expectedOf({ op, result, added, modified, removed }: TypedCase): unknown {
  return op === 'Compare' ? { added, modified, removed } : op === 'Validate' ? undefined : (result ?? null);
}

/** Messages name the Go type of the value; the recording used a YAML parser whose types differ from those of apply. */
function comparable(message: string): string {
  return message.replaceAll(/\b(int|float64)\b/g, 'number').replaceAll('map[interface {}]', 'map[string]');
}

describe.each(Object.keys(runs))('%s', (op) => {
  const cases = casesOf<TypedCase>('typed.jsonl').filter((each) => each.op === op);
  it.each(cases.map((each, index) => [index + 1, each] as const))('case %i', (_, each) => {
    const run = (): unknown => runs[op]?.(each);
    if (each.error === undefined) {
      expect(run()).toEqual(expectedOf(each));
      return;
    }
    let message = '';
    try {
      run();
    } catch (error) {
      message = (error as Error).message;
    }
    expect(comparable(message)).toBe(comparable(each.error));
  });
});
