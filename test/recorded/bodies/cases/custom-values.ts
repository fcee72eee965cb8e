import { type BodyCase, bodyCase, fillTemplates, jsonType, type Template, yamlType } from '../case.ts';

const applyType = 'application/apply-patch+yaml';

const gauge = '{"apiVersion":"bodies.example.com/v1","kind":"Gauge","metadata":{"name":"x"},';

const plain = ['0', '-0', '1', '2', '3', '0.5', '0.25'];
const wholeFloats = ['0.0', '-0.0', '1.0', '0.1e1', '1e0', '10e-1', '2.0', '3.0'];
const numbers = [...plain, ...wholeFloats];

/** Fields of a gauge: numbers within bounds. Integers are compared with the whole part of a bound, floats are not. */
const fields = ['two', 'halfInteger', 'twoInteger', 'half', 'tenth', 'limited'];

function numbersIn(names: readonly string[], values: readonly string[]): readonly Template[] {
  return names.map((name) => ({ path: 'gauge', text: `${gauge}"${name}":§}`, values }));
}

const owner = '"apiVersion":"a/b/c","kind":"","name":"","uid":""';

const metadata = [
  '{}',
  '{"name":""}',
  '{"name":"a/b"}',
  '{"generateName":"a/"}',
  '{"generateName":"a/","name":".."}',
  '{"namespace":"A"}',
  '{"generation":-1}',
  '{"labels":{"/":"x"}}',
  '{"labels":{"/":"-"}}',
  '{"annotations":{"/":"x"}}',
  '{"finalizers":["/"]}',
  '{"finalizers":["orphan","foregroundDeletion"]}',
  `{"ownerReferences":[{${owner}}]}`,
  '{"ownerReferences":[{"apiVersion":"v1","kind":"Event"}]}',
  '{"managedFields":[{}]}',
  '{"managedFields":[{"operation":"Other","fieldsType":"Other","manager":"a\\u0001","subresource":"s"}]}',
  '{"managedFields":[{"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}}}]}',
  '{"finalizers":["/"],"annotations":{"/":"x"},"labels":{"/":"x"},"generation":-1,"namespace":"A","name":"a/b"}',
  `{"managedFields":[{"operation":"Other"}],"finalizers":["/"],"ownerReferences":[{${owner}}],"generation":-1}`,
  '{"labels":{"a":1}}',
  '{"labels":1,"annotations":1}',
  '{"name":1}',
  '{"unknown":1}',
  '1',
  'null',
];

const templates: readonly Template[] = [
  ...numbersIn(fields, numbers),
  { path: 'gauge', text: `${gauge}"embedded":{"apiVersion":"v1","kind":"Pod","metadata":§}}`, values: metadata },
  {
    path: 'gauge',
    text: `${gauge}"embedded":§}`,
    values: ['{}', '{"apiVersion":1,"kind":"Pod"}', '{"apiVersion":"a/b/c","kind":"Pod"}', '{"apiVersion":"v1"}'],
  },
  {
    path: 'gauge',
    text: `${gauge}"mapped":{"k":[{"apiVersion":"v1","kind":"Pod","metadata":§,"more":1}]}}`,
    values: ['{"name":"a","unknown":1}', '{"name":1}', '{"labels":{"a":1}}'],
  },
  {
    path: 'gauge',
    text: `${gauge}"choice":§}`,
    values: ['{"b":1,"a":{"d":[{"f":1,"e":2}],"c":3}}', '[{"b":1,"a":2}]', 'null'],
  },
];

const unknownInMetadata = '"metadata":{"name":"x","unknown":1}';

/** Configurations with metadata that no kind has, in objects that preserve unknown fields. */
const applied: readonly BodyCase[] = [
  bodyCase('gauge', `${gauge}"embedded":{"apiVersion":"v1","kind":"Pod",${unknownInMetadata}}}`, applyType),
  bodyCase('gauge', `${gauge}"embedded":{"apiVersion":"v1","kind":"Pod","more":{"a":1},"metadata":{}}}`, applyType),
  bodyCase('gauge', `${gauge}"mapped":{"k":[{"apiVersion":"v1","kind":"Pod",${unknownInMetadata}}]}}`, applyType),
  bodyCase('sail', `{"apiVersion":"bodies.example.com/v1","kind":"Sail",${unknownInMetadata}}`, applyType),
  bodyCase(
    'sail',
    '{"apiVersion":"bodies.example.com/v1","kind":"Sail","metadata":{"name":"x"},"a":{"b":1}}',
    applyType,
  ),
].map((body) => ({
  ...body,
  name: `apply ${body.name}`,
  method: 'PATCH',
  path: `${body.path}/x?fieldManager=m`,
}));

/** Custom resources: multiples however a number is written, and metadata of embedded objects. */
export const customValues: readonly BodyCase[] = [
  ...fillTemplates(templates, jsonType),
  ...applied,
  ...fillTemplates(numbersIn(fields, numbers), yamlType).map((body) => ({
    ...body,
    name: `yaml ${body.name}`,
  })),
];

const limit = { minimum: -0.5, maximum: 1.5, exclusiveMaximum: true };

/** The definition of gauges. */
export const gauges = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gauges.bodies.example.com' },
  spec: {
    group: 'bodies.example.com',
    names: { plural: 'gauges', kind: 'Gauge' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              half: { type: 'number', multipleOf: 0.5 },
              tenth: { type: 'number', multipleOf: 0.1 },
              two: { type: 'number', multipleOf: 2 },
              halfInteger: { type: 'integer', multipleOf: 0.5 },
              twoInteger: { type: 'integer', multipleOf: 2 },
              limited: { type: 'number', ...limit },
              choice: { 'x-kubernetes-preserve-unknown-fields': true, enum: ['x', 1] },
              mapped: {
                type: 'object',
                additionalProperties: {
                  type: 'array',
                  items: {
                    type: 'object',
                    'x-kubernetes-embedded-resource': true,
                    properties: { spec: { type: 'object' } },
                  },
                },
              },
              embedded: {
                type: 'object',
                'x-kubernetes-embedded-resource': true,
                'x-kubernetes-preserve-unknown-fields': true,
              },
            },
          },
        },
      },
    ],
  },
};
