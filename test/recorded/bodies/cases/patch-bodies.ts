import { type BodyCase, bodyCase, bytesCase, type Path, paths, yamlType } from '../case.ts';

const types = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** A patch of an object created before all cases; an apply is for an absent one. */
function patchCase(type: keyof typeof types, body: BodyCase, path: Path): BodyCase {
  const target = type === 'apply' ? 'a?fieldManager=m' : 'base';
  return {
    ...body,
    name: `${type} ${body.name}`,
    method: 'PATCH',
    path: `${paths[path]}/${target}`,
    contentType: types[type],
  };
}

const values: readonly string[] = [
  '"x"',
  'null',
  '1',
  '1.0',
  '1e3',
  '1e400',
  '9007199254740993',
  '9223372036854775808',
  'true',
  '[]',
  '{}',
  '"\\ud800"',
  '"<&>\\u2028"',
  '"\\u0000"',
  '{"a":1,"a":2}',
  '[1e400]',
  '100000000000000000000',
  '-0',
  '1e21',
  '"\\/"',
];
const documents: readonly string[] = [
  '',
  ' ',
  'null',
  '1',
  '"x"',
  'true',
  '[]',
  '{}',
  '{',
  '[1]',
  '{}x',
  '{} {}',
  'x',
  '{"data":{"a":"1"}}\n',
  '\ufeff{}',
  '# x\n{}',
  "{'a':1}",
];
const depths: readonly number[] = [50, 900];

function mergeTexts(type: 'merge' | 'strategic'): readonly string[] {
  return [
    ...documents,
    // Strategic merge patch distinguishes integers and doubles by spelling.
    ...values
      .filter((value) => type === 'merge' || !/^(?:1\.0|1e3)$/.test(value))
      .map((value) => `{"data":{"k":${value}}}`),
    // Numbers that the reference keeps as written are parsed and re-encoded.
    ...values
      .filter((value) => !/^(?:1\.0|1e3|1e21|9223372036854775808)$/.test(value))
      .map((value) => `{"metadata":{"generation":${value}}}`),
    '{"data":{"a":"1"},"data":{"b":"2"}}',
    '{"data":{"a":"1","a":"2"}}',
    '{"Data":{"a":"1"}}',
    '{"x":1,"y":{"z":2}}',
    '{"metadata":{"labels":{"a":"b","a":"c"},"Labels":{}}}',
    '{"immutable":"x"}',
    '{"metadata":{"name":"b"}}',
    '{"kind":"Pod"}',
    '{"apiVersion":"v2"}',
    '{"metadata":{"creationTimestamp":"x"}}',
    '{"binaryData":{"b":"!"}}',
    '{"__proto__":{"a":1},"data":{"__proto__":"x","constructor":"y"}}',
    '{"data":{"":"x"}}',
    '{"metadata":{"annotations":{"<":"\\u003c"}}}',
    ...depths.map((depth) => `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`),
    ...depths.map((depth) => `{"data":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`),
  ];
}

const operations: readonly string[] = [
  ...documents,
  ...values.map((value) => `[{"op":"add","path":"/data/k","value":${value}}]`),
  ...values.map((value) => `[{"op":"test","path":"/data/k","value":${value}}]`),
  '[{"op":"add","path":"/data/k","value":"x","value":"y"}]',
  '[{"op":"add","Path":"/data/k","value":"x"}]',
  '[{"op":1}]',
  '[{}]',
  '[null]',
  '[[]]',
  '[{"op":"add","path":1}]',
  '[{"op":"add","path":"/data/k"}]',
  '[{"op":"add","path":"/data/k","value":"x","from":1,"x":1}]',
  '[{"op":"copy","from":"/data/base","path":"/data/k"}]',
  '[{"op":"add","path":"/data/~0~1","value":"x"}]',
  '[{"op":"add","path":"/x","value":{"a":1,"a":2}}]',
  ...depths.map((depth) => `[{"op":"add","path":"/x","value":${'['.repeat(depth)}${']'.repeat(depth)}}]`),
];

const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';
const applied: readonly string[] = [
  ...documents,
  '---',
  'a: [',
  'a: b: c',
  '- a',
  'a',
  `${head}data:\n  k: "1"\n`,
  `---\n${head}---\n${head}`,
  `${head}...\n`,
  `${head}data:\n  k: 1\n`,
  `${head}data:\n  k: yes\n`,
  `${head}data:\n  k: a\n  k: b\n`,
  `${head}data:\n  1: a\n`,
  `${head}x: 1\n`,
  `${head}data: &a {k: v}\nbinaryData: *a\n`,
  `${head}data:\n  k: *x\n`,
  `${head}data:\n  k: .nan\n`,
  `${head}data:\n  ~: x\n`,
  `\ufeff${head}`,
  `${head}\t`,
  `${head}data:\n\tk: v\n`,
  `${head}data:\n  k: "\u0085"\n`,
  `${head}data:\n  k: |\n    a\n    b\n`,
  `${head}immutable: "x"\n`,
  `${head}immutable: 1\n`,
  'apiVersion: 1\nkind: 2\n',
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n',
  'apiVersion: v2\nkind: ConfigMap\n',
  'metadata:\n  name: a\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n',
  'apiVersion: v1\nkind: ConfigMap\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata: 1\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  managedFields: []\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n    a: 1\n',
  'apiVersion: v1\nKind: ConfigMap\nmetadata:\n  name: a\n',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"<&>\\u2028"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"\\ud83d\\ude00"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"\\/"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"1","k":"2"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":1}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"x":{"y":1.0}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","generation":9223372036854775807}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","creationTimestamp":"x"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"bodies","creationTimestamp":"x"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","generation":1.5}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":null}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"binaryData":{"b":"!"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"__proto__":"x"}}',
  ...depths.map((depth) => `${head}x: ${'['.repeat(depth)}${']'.repeat(depth)}\n`),
];

const revisions: readonly string[] = [
  '{"revision":9007199254740993}',
  '{"revision":"x"}',
  '{"revision":null}',
  '{"metadata":{"annotations":{"a":"b"}}}',
];

const bytes = Buffer.from('{"data":{"k":"\xff"}}', 'latin1');

export const patchBodies: readonly BodyCase[] = [
  ...(['merge', 'strategic'] as const).flatMap((type) => [
    ...mergeTexts(type).map((text) => patchCase(type, bodyCase('configmap', text, ''), 'configmap')),
    ...revisions.map((text) => patchCase(type, bodyCase('revision', text, ''), 'revision')),
    patchCase(type, bytesCase('configmap', bytes, ''), 'configmap'),
  ]),
  ...operations.map((text) => patchCase('json', bodyCase('configmap', text, ''), 'configmap')),
  ...applied.map((text) => patchCase('apply', bodyCase('configmap', text, yamlType), 'configmap')),
  patchCase('apply', bytesCase('configmap', bytes, ''), 'configmap'),
];
