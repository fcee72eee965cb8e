import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../api/json/json.ts';
import { isJsonObject } from '../api/json/json.ts';
import { storedMembers, wantedMembers } from './stored-members.ts';

const paths = ['spec.a', 'spec.b', 'status', 'status.a', 'type', 'c.a.b'];
const names = fc.constantFrom('a', 'b', 'c', 'spec', 'status', 'type', 'sp', 'specs', '"a"', 'ä');
const { value: object } = fc.letrec<{ value: JsonObject }>((tie) => ({
  value: fc.dictionary(
    names,
    fc.oneof(
      { maxDepth: 3 },
      fc.string(),
      fc.integer(),
      fc.constantFrom(null, true, '\\"', 'x'.repeat(100)),
      tie('value'),
      fc.array(tie('value'), { maxLength: 2 }),
    ),
    { maxKeys: 6 },
  ) as fc.Arbitrary<JsonObject>, // values of JSON alone
}));

/** The members of a parsed object, at most two levels deep. */
function membersOf(whole: JsonObject): JsonObject {
  const found: JsonObject = {};
  for (const path of paths) {
    const [name = '', inner] = path.split('.');
    const value: JsonValue | undefined = whole[name];
    if (value === undefined) continue;
    if (inner === undefined || name === 'status' || !isJsonObject(value)) found[name] = value;
    else {
      const before = found[name];
      const member = value[inner];
      found[name] = { ...(isJsonObject(before) ? before : {}), ...(member === undefined ? {} : { [inner]: member }) };
    }
  }
  return found;
}

it('members are those of the parsed object', () => {
  const wanted = wantedMembers(paths);
  fc.assert(
    fc.property(object, (whole) => {
      const bytes = Buffer.from(JSON.stringify(whole));
      expect(storedMembers(bytes, wanted)).toEqual(membersOf(JSON.parse(bytes.toString()) as JsonObject)); // as above
    }),
  );
});

it('integers are exact', () => {
  const bytes = Buffer.from('{"spec":{"b":1,"a":9007199254740993}}');
  expect(storedMembers(bytes, wantedMembers(['spec.a']))).toEqual({ spec: { a: 9007199254740993n } });
});
