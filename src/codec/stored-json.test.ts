import { expect, it } from 'vitest';
import { plainOf } from '../api/json/json-tree.ts';
import { maxCollections } from './body-limits.ts';
import { parseStored } from './stored-json.ts';

const fields = { 'f:data': { '.': {}, 'f:a': {} } };
const object = {
  kind: 'ControllerRevision',
  metadata: {
    name: 'a',
    managedFields: [
      { manager: 'x', fieldsV1: fields },
      { manager: 'y', fieldsV1: fields },
    ],
  },
  data: { fieldsV1: 'text' },
};

it('shares owned fields between entries', () => {
  const [one, other] = [object, object].map((each) => parseStored(Buffer.from(JSON.stringify(each))).value);
  expect(one).toEqual(object);
  const entriesOf = (value: unknown) => (value as typeof object).metadata.managedFields; // as written above
  expect(entriesOf(one)[0]?.fieldsV1).toBe(entriesOf(other)[1]?.fieldsV1);
});

it('returns the stored text to those that ask for it', () => {
  const source = parseStored(Buffer.from(JSON.stringify(object)));
  expect(plainOf(source.tree())).toEqual(object);
});

it('ignores what only looks like owned fields', () => {
  const odd = { ...object, data: { fieldsV1: { 'f:x': {} } } };
  const source = parseStored(Buffer.from(JSON.stringify(odd)));
  expect(source.value).toEqual(odd);
  expect(plainOf(source.tree())).toEqual(odd);
});

it('reads more objects than a body may contain', () => {
  const large = { ...object, data: { list: Array.from({ length: maxCollections + 1 }, () => ({})) } };
  expect(parseStored(Buffer.from(JSON.stringify(large))).value).toEqual(large);
});
