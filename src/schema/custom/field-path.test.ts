import { describe, expect, it } from 'vitest';
import { resolveFieldPath } from './field-path.ts';
import type { JsonSchema } from './json-schema.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { 'a.b': { type: 'string' }, "it's": { type: 'string' } } },
    labels: { type: 'object', additionalProperties: { type: 'object', properties: { x: { type: 'string' } } } },
    size: { type: 'integer' },
  },
};

describe('paths of fields', () => {
  it.each([
    ['.spec', 'spec'],
    [".spec['a.b']", 'spec.a.b'],
    ["['spec']['it\\'s']", "spec.it's"],
    ['.labels.key.x', 'labels[key].x'],
    [".labels['a/b']", 'labels[a/b]'],
  ])('%s', (path, expected) => {
    expect(resolveFieldPath(path, schema, { allowArrayNotation: true }).path).toBe(expected);
  });

  it.each([
    ['spec', 'expected [ or . but got: spec'],
    ['.', 'unexpected end of JSON path'],
    ['.other', 'does not refer to a valid field'],
    ['.size.x', 'does not refer to a valid field'],
    ['.spec[0]', 'expected single quoted string but got 0'],
    [".spec['a.b'", 'unexpected end of JSON path'],
    [".spec['a.b'.", 'expected ] but got .'],
    [".spec['\\x']", 'invalid string literal: invalid escape char \\x'],
  ])('%s is invalid', (path, message) => {
    expect(() => resolveFieldPath(path, schema, { allowArrayNotation: true })).toThrow(message);
  });

  it('may be without brackets', () => {
    expect(() => resolveFieldPath("['spec']", schema, { allowArrayNotation: false })).toThrow(
      'array notation is not allowed',
    );
  });
});
