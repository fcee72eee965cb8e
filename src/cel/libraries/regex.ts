import { compileGoRegexp, GoRegexpError } from '../../api/go/go-regexp.ts';
import { listType, types } from '../types/cel-type.ts';
import { tooLong } from '../values/matching.ts';
import { CelError, type Int, type Value } from '../values/value.ts';
import { binary, declare, type Library, many, member } from './define.ts';

const { int, string } = types;
const strings = listType(string);

export const regexLibrary: Library = {
  name: 'kubernetes.regex',
  functions: [
    declare(
      'find',
      member(
        'string_find_string',
        [[string, string], string],
        binary((text, pattern) => {
          const found = matchesIn(text, pattern, 1);
          return found instanceof CelError ? found : (found[0] ?? '');
        }),
      ),
    ),
    declare(
      'findAll',
      member(
        'string_find_all_string',
        [[string, string], strings],
        binary((text, pattern) => matchesIn(text, pattern, -1)),
      ),
      member(
        'string_find_all_string_int',
        [[string, string, int], strings],
        many(([text = '', pattern = '', limit]) => matchesIn(text, pattern, limit as Int)),
      ),
    ),
  ],
};

function matchesIn(text: Value, pattern: Value, limit: Int): readonly string[] | CelError {
  try {
    return compileGoRegexp(pattern as string).find(text as string, limit < 0 ? Infinity : Number(limit)) ?? tooLong;
  } catch (error) {
    if (error instanceof GoRegexpError) return new CelError(`Illegal regex: error parsing regexp: ${error.message}`);
    throw error;
  }
}
