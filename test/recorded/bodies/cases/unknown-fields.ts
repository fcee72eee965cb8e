import { type BodyCase, bodyCase, fillTemplates, jsonType, paths, type Template } from '../case.ts';

const many = (count: number): string => Array.from({ length: count }, (_, i) => `"f${count - i}":1`).join(',');

/** Members that no kind has. */
const unknown: readonly string[] = [
  '"x":1',
  '"z":1,"b":2,"a":3',
  '"a\\"b":1',
  '"a\'b":1',
  '"a\\\\b":1',
  '"a\\nb":1',
  '"a\\r\\nb":1',
  '"a\\tb":1',
  '"a\\u0000b":1',
  '"a\\u001bb":1',
  '"a\\u007fb":1',
  '"a\\u0085b":1',
  '"a\\u2028b":1',
  '"é":1',
  '"😀":1',
  '"":1',
  '"a.b":1',
  '"a[0]":1',
  '"<a>&":1',
  '"%s":1',
  '"`":1',
  '"__proto__":1,"constructor":2',
  '"x":1,"x":2',
  many(100),
  many(101),
  many(150),
  `"${'x'.repeat(5000)}":1`,
  `"${'y'.repeat(3000)}":1,"${'z'.repeat(3000)}":1`,
];

const rest = '"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}}';

const templates: readonly Template[] = [
  { path: 'configmap', text: '{"metadata":{"name":"x"},§}', values: unknown },
  { path: 'configmap', text: '{"apiVersion":"v2","kind":"ConfigMap","metadata":{"name":"x"},§}', values: unknown },
  { path: 'configmap', text: '{"apiVersion":"v1","kind":"Other","metadata":{"name":"x"},§}', values: unknown },
  { path: 'deployment', text: `{"metadata":{"name":"x"},"spec":{§,${rest},"spec":{}}}}`, values: unknown },
  {
    path: 'sail',
    text: '{"apiVersion":"bodies.example.com/v1","kind":"Sail","metadata":{"name":"x"},§}',
    values: unknown,
  },
];

type PatchType = 'merge' | 'strategic-merge' | 'json';

/** In patches, the order is that of the keys. */
function patches(type: PatchType, path: 'configmap' | 'deployment', text: string): readonly BodyCase[] {
  return unknown.map((members, index) => ({
    ...bodyCase(
      path,
      text.replace('§', () => members),
      `application/${type}-patch+json`,
    ),
    name: `${type} ${path} ${text} ${index}`,
    path: `${paths[path]}/base`,
    method: 'PATCH',
  }));
}

export const unknownFields: readonly BodyCase[] = [
  ...fillTemplates(templates, jsonType).map((body, index) => ({ ...body, name: `create ${index}` })),
  ...patches('merge', 'configmap', '{§,"metadata":{"z":1,"a":1}}'),
  ...patches('merge', 'deployment', '{"spec":{"template":{"spec":{§}},"zz":1,"aa":1},"x":1}'),
  ...patches('strategic-merge', 'configmap', '{§,"metadata":{"z":1,"a":1}}'),
  ...patches('strategic-merge', 'deployment', '{"spec":{"template":{"spec":{§}},"zz":1,"aa":1},"x":1}'),
  ...patches('json', 'configmap', '[{"op":"add","path":"/zz","value":{§}},{"op":"add","path":"/aa","value":1}]'),
  ...patches(
    'json',
    'deployment',
    '[{"op":"add","path":"/spec/zz","value":1},{"op":"add","path":"/spec/aa","value":{§}}]',
  ),
];
