import { define } from '../../definitions.ts';
import { places } from '../../objects.ts';
import { script, type Step } from '../../script.ts';
import { forEach, get, inNamespace, patch, post, put } from '../../steps.ts';

const space = 'yaml-bodies';
const custom = {
  group: 'yaml-bodies.example.com',
  plural: 'pages',
  kind: 'Page',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
} as const;
const pages = places.custom(custom.group, custom.plural, space);
const configMaps = places.configMaps(space);
const yaml = 'application/yaml';

/** What stands below `spec` of a page and below `data` of a config map. */
const values: { readonly [name: string]: string } = {
  'old booleans': 'a: yes\nb: no\nc: on\nd: off\ne: y\nf: n',
  'booleans in upper case': 'a: YES\nb: True\nc: FALSE\nd: Off',
  'octal numbers': 'a: 017\nb: 0o17\nc: 0888\nd: 0o9',
  'hexadecimal numbers': 'a: 0x1F\nb: 0X1F\nc: 0b101\nd: 0xg',
  underscores: 'a: 1_000\nb: 1_0.5\nc: _1',
  'sexagesimal numbers': 'a: 1:30\nb: 190:20:30\nc: 12:30:45.5',
  exponents: 'a: 1e3\nb: 1E+3\nc: .5\nd: 5.\ne: +5\nf: -.5e-1',
  'not numbers': 'a: .nan\nb: .NaN',
  infinite: 'a: .inf',
  times: 'a: 2001-01-01\nb: 2001-01-01T00:00:00Z\nc: 2001-12-14 21:59:43.10 -5',
  nulls: 'a: null\nb: ~\nc:\nd: Null\ne: NULL\nf: nUll',
  quoted: "a: \"1\"\nb: 'yes'\nc: \"a\\tb\\x41\\u00e9\"\nd: 'it''s'",
  tagged: 'a: !!str 1\nb: !!int "2"\nc: !!bool "true"\nd: !!float 3',
  binary: 'a: !!binary aGVsbG8=',
  'own tags': 'a: !own x',
  'a block': 'a: |\n    one\n    two\n\nb: >-\n    one\n    two',
  'a block with an indication': 'a: |2\n     one',
  'an anchor': 'a: &x {k: v}\nb: *x',
  'an unknown anchor': 'a: *x',
  'a merge': 'a: &x {k: v, l: w}\nb:\n  <<: *x\n  k: z',
  'merges of a list': 'a: &x {k: v}\nb: &y {l: w}\nc:\n  <<: [*x, *y]',
  'a key twice': 'a: 1\na: 2',
  'a key twice, deeper': 'm: {a: 1, a: 2}',
  'keys that are numbers': '1: a\n2.5: b\ntrue: c\nnull: d',
  'a key that is a list': '? [a, b]\n: c',
  'a key that is complex': '? {a: b}\n: c',
  'a tab': 'a:\tb',
  'a tab as indentation': 'm:\n\ta: b',
  flow: 'm: {a: [1, 2, {b: c}], d: "e"}',
  'a comment': 'a: b # c\n# d',
  'a number sign within': 'a: b#c',
  'a colon within': 'a: b:c\nd: http://x.example.com:80/y',
  'bad indentation': 'a: b\n   c: d',
  'large numbers': 'a: 9223372036854775807\nb: 9223372036854775808\nc: 18446744073709551616',
  'long fractions': 'a: 0.1234567890123456789\nb: 1e400',
  Unicode: 'a: ü\nb: "\\U0001F600"\nc: 😀',
  'a control character': 'a: "\\x01"\nb: "\\0"',
  'a byte order mark': 'a: "\\uFEFF"',
};

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
const page = (text: string, name = 'a'): string =>
  `apiVersion: ${custom.group}/v1\nkind: Page\nmetadata: {name: ${name}}\nspec:\n${indented(text)}\n`;
const configMap = (text: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n${indented(text)}\n`;

function valueSteps(text: string, name: string): readonly Step[] {
  return [
    post(`a page with ${name}`, `${pages}?dryRun=All`, page(text, 'n'), { contentType: yaml }),
    put(`strictly ${name}`, `${pages}/a?dryRun=All&fieldValidation=Strict`, page(text), { contentType: yaml }),
    patch(`apply ${name}`, 'apply', `${pages}/a?dryRun=All&fieldManager=x&force=true`, page(text)),
    post(`a config map with ${name}`, `${configMaps}?dryRun=All`, configMap(text), { contentType: yaml }),
    patch(`apply a config map with ${name}`, 'apply', `${configMaps}/a?dryRun=All&fieldManager=x`, configMap(text)),
  ];
}

/** Whole bodies. */
const bodies: { readonly [name: string]: string } = {
  empty: '',
  blank: '  \n',
  'a comment only': '# nothing\n',
  'a document start': `---\n${page('a: 1', 'n')}`,
  'two starts': `---\n---\n${page('a: 1', 'n')}`,
  'an end': `${page('a: 1', 'n')}...\n`,
  'two documents': `${page('a: 1', 'n')}---\n${page('a: 2', 'o')}`,
  'a start after it': `${page('a: 1', 'n')}---\n`,
  'a directive': `%YAML 1.1\n---\n${page('a: 1', 'n')}`,
  'carriage returns': page('a: 1', 'n').replaceAll('\n', '\r\n'),
  JSON: `{"apiVersion":"${custom.group}/v1","kind":"Page","metadata":{"name":"n"},"spec":{"a":1}}`,
  'JSON with a trailing comma': `{"apiVersion":"${custom.group}/v1","kind":"Page","metadata":{"name":"n"},"spec":{"a":1,},}`,
  'JSON with single quotes': `{'apiVersion': '${custom.group}/v1', 'kind': 'Page', 'metadata': {'name': 'n'}}`,
  'a list': '- a\n- b\n',
  'a text': 'hello\n',
  'a number': '5\n',
  null: 'null\n',
  'no kind': 'apiVersion: v1\nmetadata: {name: n}\n',
  'no version': 'kind: Page\nmetadata: {name: n}\n',
  'a kind that is a number': 'apiVersion: 1\nkind: 2\nmetadata: {name: n}\n',
  'a name that is a number': `apiVersion: ${custom.group}/v1\nkind: Page\nmetadata: {name: 5}\n`,
  'labels that are no texts': `apiVersion: ${custom.group}/v1\nkind: Page\nmetadata: {name: n, labels: {a: 1, b: true, c: yes}}\n`,
  'fields in other cases': `APIVERSION: ${custom.group}/v1\nKind: Page\nMetadata: {Name: n}\nSPEC: {a: 1}\n`,
  broken: 'a: [1, 2\n',
  'a stray brace': `${page('a: 1', 'n')}}\n`,
  'a quote left open': 'a: "b\n',
  'an anchor of everything': '&a [*a, *a]\n',
  'a template': 'apiVersion: {{ .Version }}\nkind: Page\n',
  'a byte order mark': `\uFEFF${page('a: 1', 'n')}`,
};

/** Reports: YAML that clients of other languages write, and what becomes of it. */
export const yamlBodies = script(
  'yaml-bodies',
  inNamespace(space),
  define(custom),
  post('a page', pages, page('a: 1'), { contentType: yaml }),
  forEach(values, valueSteps),
  forEach(bodies, (body, name) => [
    post(`body: ${name}`, `${pages}?dryRun=All`, body, { contentType: yaml }),
    patch(`apply a body: ${name}`, 'apply', `${pages}/n?dryRun=All&fieldManager=x`, body),
    post(
      `a config map's body: ${name}`,
      `${configMaps}?dryRun=All`,
      body
        .replaceAll(`${custom.group}/v1`, 'v1')
        .replaceAll('Page', 'ConfigMap')
        .replaceAll('spec', 'data')
        .replaceAll('a: 1', 'a: "1"'),
      { contentType: yaml },
    ),
    patch(`merge a body: ${name}`, 'merge', `${pages}/a?dryRun=All`, body),
    patch(`JSON patch a body: ${name}`, 'json', `${pages}/a?dryRun=All`, body),
  ]),
  forEach(
    {
      plain: yaml,
      'a charset': 'application/yaml; charset=utf-8',
      'x-yaml': 'application/x-yaml',
      text: 'text/yaml',
      'a structure': 'application/apply-patch+yaml',
    },
    (contentType, name) => post(`a type: ${name}`, `${pages}?dryRun=All`, page('a: 1', 'n'), { contentType }),
  ),
  get('as YAML', `${pages}/a`, { accept: yaml }),
  get('all as YAML', pages, { accept: yaml }),
);
