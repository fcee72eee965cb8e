import { expect, test } from 'vitest';
import { encodeV2 } from './gnostic-v2.ts';

/** `number` as a length-delimited field. */
function field(number: number, ...content: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(content.map((each) => Buffer.from(each)));
  const tag = number * 8 + 2;
  return Buffer.concat([
    Buffer.from(tag > 127 ? [(tag & 127) | 128, tag >> 7] : [tag]),
    Buffer.from([body.length]),
    body,
  ]);
}

test('definitions are named schemas', () => {
  const document = {
    definitions: { a: { type: 'object', required: ['b'], properties: { b: { $ref: '#/definitions/a' } } } },
  };
  const reference = field(1, '#/definitions/a');
  const schema = [
    field(19, 'b'),
    field(22, field(1, 'object')),
    field(25, field(1, field(1, 'b'), field(2, reference))),
  ];
  expect(encodeV2(document)).toEqual(field(9, field(1, field(1, 'a'), field(2, ...schema))));
});

test('extensions hold their value as YAML', () => {
  const kind = { group: '', kind: 'Pod', version: 'v1' };
  const document = { definitions: { a: { 'x-kubernetes-group-version-kind': [kind] } } };
  const yaml = '- group: ""\n  kind: Pod\n  version: v1\n';
  const extension = field(31, field(1, 'x-kubernetes-group-version-kind'), field(2, field(2, yaml)));
  expect(encodeV2(document)).toEqual(field(9, field(1, field(1, 'a'), field(2, extension))));
});

test('an operation’s parameters are references, bodies, path or query parameters', () => {
  const parameters = [
    { $ref: '#/parameters/a' },
    { name: 'body', in: 'body', required: true, schema: { type: 'string' } },
    { name: 'p', in: 'path', required: true, type: 'string', uniqueItems: true },
    { name: 'q', in: 'query', type: 'string', uniqueItems: true },
  ];
  const yes = (number: number): Buffer =>
    Buffer.from(number * 8 > 127 ? [((number * 8) & 127) | 128, (number * 8) >> 7, 1] : [number * 8, 1]);
  const body = [field(2, 'body'), field(3, 'body'), yes(4), field(5, field(22, field(1, 'string')))];
  const path = [yes(1), field(2, 'path'), field(4, 'p'), field(5, 'string'), yes(19)];
  const query = [field(2, 'query'), field(4, 'q'), field(6, 'string'), yes(20)];
  const items = [
    field(8, field(2, field(1, '#/parameters/a'))),
    field(8, field(1, field(1, ...body))),
    field(8, field(1, field(2, field(4, ...path)))),
    field(8, field(1, field(2, field(3, ...query)))),
  ];
  expect(encodeV2({ paths: { '/a': { get: { parameters } } } })).toEqual(
    field(8, field(2, field(1, '/a'), field(2, field(2, ...items)))),
  );
});

test('a response holds its schema', () => {
  const responses = { 200: { description: 'OK', schema: { $ref: '#/definitions/a' } } };
  const response = field(1, field(1, 'OK'), field(2, field(1, field(1, '#/definitions/a'))));
  expect(encodeV2({ paths: { '/a': { get: { responses } } } })).toEqual(
    field(8, field(2, field(1, '/a'), field(2, field(2, field(9, field(1, field(1, '200'), field(2, response))))))),
  );
});
