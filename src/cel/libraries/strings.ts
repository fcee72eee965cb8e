import type { FunctionDeclaration } from '../check/declarations.ts';
import { listType, types } from '../types/cel-type.ts';
import { isList, itemsOf } from '../values/collections.ts';
import { formatText } from '../values/format.ts';
import * as text from '../values/text-operations.ts';
import { valueText } from '../values/texts.ts';
import { CelError, type Int, type Value } from '../values/value.ts';
import { binary, declare, global, type Library, many, member, unary } from './define.ts';

const { dyn, int, string } = types;
const strings = listType(string);

type Call = (args: readonly [text: string, ...rest: unknown[]]) => Value;

/** Argument types are guaranteed by the signature. */
function called(call: Call): ReturnType<typeof many> {
  return many((args) => call(args as unknown as Parameters<Call>[0]));
}

const lower = (value: Value): Value => (value as string).replace(/[A-Z]+/g, (part) => part.toLowerCase());
const upper = (value: Value): Value => (value as string).replace(/[a-z]+/g, (part) => part.toUpperCase());

const functions: readonly FunctionDeclaration[] = [
  declare(
    'charAt',
    member(
      'string_char_at_int',
      [[string, int], string],
      binary((a, b) => text.charAt(a as string, b as Int)),
    ),
  ),
  declare(
    'indexOf',
    member(
      'string_index_of_string',
      [[string, string], int],
      binary((a, b) => text.indexOfText(a as string, b as string, 0)),
    ),
    member(
      'string_index_of_string_int',
      [[string, string, int], int],
      called(([a, b, from]) => text.indexOfText(a, b as string, from as Int)),
    ),
  ),
  declare(
    'lastIndexOf',
    member(
      'string_last_index_of_string',
      [[string, string], int],
      binary((a, b) => text.lastIndexOfText(a as string, b as string)),
    ),
    member(
      'string_last_index_of_string_int',
      [[string, string, int], int],
      called(([a, b, from]) => text.lastIndexFrom(a, b as string, from as Int)),
    ),
  ),
  declare('lowerAscii', member('string_lower_ascii', [[string], string], unary(lower))),
  declare(
    'replace',
    member(
      'string_replace_string_string',
      [[string, string, string], string],
      called(([a, old, fresh]) => text.replaceText(a, [old as string, fresh as string], -1)),
    ),
    member(
      'string_replace_string_string_int',
      [[string, string, string, int], string],
      called(([a, old, fresh, limit]) => text.replaceText(a, [old as string, fresh as string], limit as Int)),
    ),
  ),
  declare(
    'split',
    member(
      'string_split_string',
      [[string, string], strings],
      binary((a, b) => text.splitText(a as string, b as string, -1)),
    ),
    member(
      'string_split_string_int',
      [[string, string, int], strings],
      called(([a, separator, limit]) => text.splitText(a, separator as string, limit as Int)),
    ),
  ),
  declare(
    'substring',
    member(
      'string_substring_int',
      [[string, int], string],
      binary((a, start) => text.substring(a as string, start as Int)),
    ),
    member(
      'string_substring_int_int',
      [[string, int, int], string],
      called(([a, start, end]) => text.substring(a, start as Int, end as Int)),
    ),
  ),
  declare(
    'trim',
    member(
      'string_trim',
      [[string], string],
      unary((a) => text.trimmed(a as string)),
    ),
  ),
  declare('upperAscii', member('string_upper_ascii', [[string], string], unary(upper))),
];

function join(list: Value, separator: Value): Value {
  const parts: string[] = [];
  if (isList(list)) {
    for (const item of itemsOf(list)) {
      if (typeof item !== 'string') return new CelError(`join: invalid input: ${valueText(item)}`);
      parts.push(item);
    }
  }
  return text.joinTexts(parts, separator as string);
}

const joinFunction = declare(
  'join',
  member(
    'list_join',
    [[strings], string],
    unary((list) => join(list, '')),
  ),
  member('list_join_string', [[strings, string], string], binary(join)),
);

/** The first version, without `format` and `quote`. */
export const stringsLibraryV0: Library = { name: 'strings', functions: [...functions, joinFunction] };

export const stringsLibrary: Library = {
  name: 'strings',
  functions: [
    ...functions,
    declare(
      'format',
      member(
        'string_format',
        [[string, listType(dyn)], string],
        many(([text, args]) => formatText(text as string, args ?? null)),
      ),
    ),
    declare(
      'strings.quote',
      global(
        'strings_quote',
        [[string], string],
        unary((a) => text.quotedText(a as string)),
      ),
    ),
    joinFunction,
  ],
};
