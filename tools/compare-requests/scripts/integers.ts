import { instance, places } from '../objects.ts';
import { define } from '../definitions.ts';
import { script } from '../script.ts';
import { get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'integers';
const custom = {
  group: 'integers.example.com',
  plural: 'sums',
  kind: 'Sum',
  properties: {
    spec: {
      type: 'object',
      properties: {
        any: { type: 'integer' },
        i32: { type: 'integer', format: 'int32' },
        i64: { type: 'integer', format: 'int64' },
        number: { type: 'number' },
        f32: { type: 'number', format: 'float' },
        f64: { type: 'number', format: 'double' },
        either: { 'x-kubernetes-int-or-string': true },
        limited: { type: 'integer', minimum: -5, maximum: 9_007_199_254_740_991, multipleOf: 1 },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
} as const;
const sums = places.custom(custom.group, custom.plural, space);
const numbers: readonly string[] = [
  '0',
  '-0',
  '1.0',
  '1e0',
  '1e2',
  '1.5',
  '0.1',
  '1e-7',
  '2147483647',
  '2147483648',
  '-2147483649',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '18446744073709551615',
  '18446744073709551616',
  '1e19',
  '1e400',
  '1.7976931348623157e308',
  '5e-324',
  '123456789012345678',
  '0.30000000000000004',
  '100000000000000000000',
  '1E+2',
];
const body = (name: string, number: string, fields: readonly string[]): string =>
  JSON.stringify(
    instance(custom, name, {
      spec: Object.fromEntries(fields.map((field) => [field, field === 'free' ? { a: ['#'], b: { c: '#' } } : '#'])),
    }),
  ).replaceAll('"#"', number);
const written = numbers.map((number, index) => ({ number, name: `n${index}` }));

const deployments = places.deployments(space);
const pods = places.pods(space);

/** Reports: numbers beyond 2^53, fractions for integers, exponents. */
export const integers = script(
  'integers',
  inNamespace(space),
  define(custom),
  written.flatMap(({ number, name }) => [
    post(`as every integer: ${number}`, `${sums}?dryRun=All`, body(name, number, ['any', 'i32', 'i64', 'limited'])),
    post(`stored: ${number}`, sums, body(name, number, ['number', 'f32', 'f64', 'free'])),
    get(`as stored: ${number}`, `${sums}/${name}`),
    post(`as either: ${number}`, `${sums}?dryRun=All`, body(name, number, ['either'])),
    patch(
      `merge: ${number}`,
      'merge',
      `${sums}/${name}`,
      `{"spec":{"i64":${number},"number":${number},"free":{"x":${number}}}}`,
    ),
    patch(
      `test: ${number}`,
      'json',
      `${sums}/${name}`,
      `[{"op":"test","path":"/spec/number","value":${number}},{"op":"add","path":"/spec/free/y","value":${number}}]`,
    ),
    patch(
      `apply: ${number}`,
      'apply',
      `${sums}/${name}?fieldManager=one&force=true`,
      body(name, number, ['number', 'free']),
    ),
    post(
      `in YAML: ${number}`,
      `${sums}?dryRun=All`,
      `apiVersion: integers.example.com/v1\nkind: Sum\nmetadata: {name: y}\nspec: {number: ${number}, free: {z: ${number}}}\n`,
      { contentType: 'application/yaml' },
    ),
    post(
      `a built-in kind: ${number}`,
      `${pods}?dryRun=All`,
      `{"metadata":{"name":"p"},"spec":{"activeDeadlineSeconds":${number},"priority":null,"terminationGracePeriodSeconds":${number},"containers":[{"name":"c","image":"i","securityContext":{"runAsUser":${number}}}]}}`,
    ),
    put(
      `a port: ${number}`,
      `/api/v1/namespaces/${space}/endpoints/e?dryRun=All`,
      `{"metadata":{"name":"e"},"subsets":[{"addresses":[{"ip":"1.2.3.4"}],"ports":[{"port":${number}}]}]}`,
    ),
  ]),
  get('all', sums),
  get('no deployments', deployments),
);
