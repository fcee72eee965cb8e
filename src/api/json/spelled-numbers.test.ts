import { expect, it } from 'vitest';
import { JsonNumber, plainOf, spelledOf, spelledSource } from './json-tree.ts';
import { spellingOf } from './spelled-numbers.ts';

const tree = ['1', '1.0', '-0', '1.50', '9007199254740993', '1.0'].map((text) => new JsonNumber(text));

it('keeps the spelling that plain data lose, and nothing else', () => {
  const spelled = spelledOf(tree) as unknown[];
  expect(spelled.map(spellingOf)).toEqual([undefined, '1.0', '-0', '1.50', undefined, '1.0']);
  expect([spelled[0], spelled[4]]).toEqual([1, 9007199254740993n]);
});

it('is equal to a number of the same spelling', () => {
  const spelled = spelledOf(tree) as unknown[];
  expect(spelled[1]).toBe(spelled[5]);
  expect(spelled[1]).not.toBe(plainOf(new JsonNumber('1.0')));
});

it('becomes a number literal again', () => {
  expect(spelledSource(spelledOf(tree)).tree()).toEqual(tree);
});
