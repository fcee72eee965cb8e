import { expect, test } from 'vitest';
import { documentsIn, swaggerPart } from './advertised-openapi.ts';

const ref = (name: string): { $ref: string } => ({ $ref: `#/definitions/${name}` });

test('a part has what its paths use, and what nobody uses', () => {
  const document = {
    paths: {
      '/apis/a/v1/': { get: { schema: ref('Own') }, parameters: [{ $ref: '#/parameters/pretty' }] },
      '/apis/b/v1/': { get: { schema: ref('Other') } },
    },
    definitions: {
      Own: { items: ref('Inner') },
      Inner: { items: ref('Own') },
      Other: { items: ref('Inner') },
      Unused: {},
    },
    parameters: { pretty: { name: 'pretty' }, limit: {} },
  };
  const { paths, definitions, parameters } = swaggerPart(document, '/apis/a/v1/');
  expect([...paths.keys()]).toEqual(['/apis/a/v1/']);
  expect([...definitions.keys()]).toEqual(['Own', 'Inner', 'Unused']);
  expect([...parameters]).toEqual([['pretty', '{"name":"pretty"}']]);
});

test.each([[[]], ['text'], [{ paths: [] }], [{ paths: {}, definitions: 7 }]])('%j is refused', (document) => {
  expect(() => swaggerPart(document, '/')).toThrow('not an object');
});

test('references to what is not there, and to what every object has, lead nowhere', () => {
  const document = { paths: { '/a/': { x: ref('constructor'), y: ref('Missing'), z: { $ref: 7 } } } };
  expect(swaggerPart(document, '/').definitions.size).toBe(0);
});

test('an index names documents', () => {
  const index = { paths: { 'apis/a/v1': { serverRelativeURL: '/openapi/v3/apis/a/v1?hash=1' }, odd: 7 } };
  expect([...documentsIn(index)]).toEqual([['apis/a/v1', '/openapi/v3/apis/a/v1?hash=1']]);
});
