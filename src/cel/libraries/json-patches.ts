import { escapeStep } from '../../api/json/json-pointer.ts';
import { types } from '../types/cel-type.ts';
import { declare, global, type Library, unary } from './define.ts';

const { string } = types;

/** For expressions that build JSON patches. */
export const jsonPatchLibrary: Library = {
  name: 'kubernetes.jsonpatch',
  functions: [
    declare(
      'jsonpatch.escapeKey',
      global(
        'string_jsonpatch_escapeKey_string',
        [[string], string],
        unary((key) => escapeStep(key as string)),
      ),
    ),
  ],
};
