import { type BodyCase, bodyCase, jsonType, paths } from '../case.ts';

/** Around the limits of 32 and 64 bits, as integers and as floats. */
const numbers: readonly string[] = [
  '-9223372036854775808',
  '-9223372036854775809',
  '-9223372036854775810',
  '-9223372036854775808.0',
  '-1e19',
  '-9223372036854774784.0',
  '-9223372036854775807',
  '-99999999999999999999',
  '-1e30',
  '-2147483648',
  '-2147483649',
  '9223372036854775807',
  '9223372036854775808',
  '9223372036854774784.0',
  '18446744073709551615',
  '1e18',
  '1e19',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '9007199254740993.0',
  '1e308',
  '0',
  '-0',
  '1.0',
  '1.5',
  '3.5e38',
];

const fields = ['integer', 'int32', 'int64', 'number', 'float', 'limited', 'choice', 'items', 'either', 'free'];

const tideText = (more: string): string => `{"apiVersion":"bodies.example.com/v1","kind":"Tide"${more}}`;

function valueOf(field: string, number: string): string {
  return field === 'items' ? `[${number}]` : number;
}

/** Forms of metadata, with errors after which rules are asked, and others. */
const metadata: readonly string[] = [
  '',
  ',"metadata":{}',
  ',"metadata":{"name":"A_b"}',
  ',"metadata":{"name":"x","labels":{"a b":"c"}}',
  ',"metadata":{"name":"x","ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"","uid":""}]}',
  ',"metadata":{"name":"x","finalizers":["a b"]}',
  ',"metadata":{"name":"x"}',
];

const specs: readonly string[] = ['', ',"spec":{"ruled":1}', ',"spec":{"ruled":-1}', ',"spec":{"ruled":"x"}'];

export const oddInstances: readonly BodyCase[] = [
  ...fields.flatMap((field) =>
    numbers.map((number) =>
      bodyCase('tide', tideText(`,"metadata":{"name":"x"},"spec":{"${field}":${valueOf(field, number)}}`), jsonType),
    ),
  ),
  ...metadata.flatMap((given) => specs.map((spec) => bodyCase('tide', tideText(`${given}${spec}`), jsonType))),
  ...metadata.slice(3).flatMap((given) =>
    specs.map((spec): BodyCase => {
      const text = `{${[given, spec].join('').slice(1)}}`.replace('"name":"x"', '"name":"base"');
      const body = bodyCase('tide', text, 'application/merge-patch+json');
      return { ...body, name: `merge ${text}`, path: `${paths.tide}/base`, method: 'PATCH' };
    }),
  ),
];

/** One to be patched. */
export const tide = {
  apiVersion: 'bodies.example.com/v1',
  kind: 'Tide',
  metadata: { name: 'base' },
  spec: { ruled: 1 },
};

const integer = { type: 'integer' };

/** A kind with all sorts of numbers, and with rules. */
export const tides = {
  metadata: { name: 'tides.bodies.example.com' },
  spec: {
    group: 'bodies.example.com',
    scope: 'Namespaced',
    names: { plural: 'tides', singular: 'tide', kind: 'Tide', listKind: 'TideList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  integer,
                  int32: { ...integer, format: 'int32' },
                  int64: { ...integer, format: 'int64' },
                  number: { type: 'number' },
                  float: { type: 'number', format: 'float' },
                  limited: { ...integer, minimum: -10, maximum: 10, multipleOf: 2 },
                  choice: { ...integer, enum: [1, 2] },
                  items: { type: 'array', items: integer },
                  either: { 'x-kubernetes-int-or-string': true },
                  free: { 'x-kubernetes-preserve-unknown-fields': true },
                  ruled: { ...integer, 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
                },
              },
            },
          },
        },
      },
    ],
  },
};
