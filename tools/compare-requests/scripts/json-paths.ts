import { instance, places } from '../objects.ts';
import { define, definition, definitionsPath, undefine } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { forEach, get, inNamespace, post, tableType } from '../steps.ts';

const space = 'json-paths';
const group = 'json-paths.example.com';
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Paths of columns, as templates of kubectl know them and more. */
const paths: readonly string[] = [
  '.',
  '..',
  '.spec',
  '.spec.',
  '.spec..a',
  '.spec.a',
  '.spec[a]',
  ".spec['a']",
  '.spec["a"]',
  ".spec['a','b']",
  '.spec.list',
  '.spec.list[0]',
  '.spec.list[-1]',
  '.spec.list[7]',
  '.spec.list[*]',
  '.spec.list[0:2]',
  '.spec.list[:2]',
  '.spec.list[1:]',
  '.spec.list[::2]',
  '.spec.list[-2:]',
  '.spec.list[0,2]',
  '.spec.list[2:1]',
  '.spec.list[0:9]',
  '.spec.list[-9:]',
  '.spec.list[*].n',
  '.spec.list[*].none',
  '.spec.list.n',
  '.spec.*',
  '.spec.list[?(@.n=="x")].v',
  ".spec.list[?(@.n=='x')].v",
  '.spec.list[?(@.v>1)].n',
  '.spec.list[?(@.v>=1)].n',
  '.spec.list[?(@.v<2)].n',
  '.spec.list[?(@.v!=1)].n',
  '.spec.list[?(@.v==1)].n',
  '.spec.list[?(@.none)].n',
  '.spec.list[?(@.n)].n',
  '.spec.list[?(@.n==@.v)].n',
  '.spec.list[?(@.b==true)].n',
  '.spec.list[?(1==1)].n',
  '.spec.list[?(@.n=="x" && @.v==1)].n',
  '.spec.list[?(@.n=~"x")].n',
  '.spec.list[(@.length-1)]',
  '.spec.map.*',
  '.spec.map.a\\.b',
  ".spec.map['a.b']",
  '.spec.map.a/b',
  '.spec.map.a-b',
  '.spec.map.é',
  '.spec.map.none',
  '..n',
  '..list[0].n',
  '.spec..n',
  '.metadata.name',
  '.metadata.labels.app',
  '.metadata.annotations',
  '.kind',
  '.metadata.creationTimestamp',
  '.metadata.managedFields[0].manager',
  '.metadata.uid',
  '.status.none.none',
  '.spec.text',
  '.spec.empty',
  '.spec.null',
  '.spec.number',
  '.spec.float',
  '.spec.large',
  '.spec.bool',
  '.spec.time',
  '.spec.future',
  '.spec.date',
  '.spec.nested',
  '.spec.lines',
  '.spec.lists[*][*]',
  '.spec.lists[0][1]',
  '{.spec.a}',
  '$.spec.a',
  '@.spec.a',
  'spec.a',
  '.spec.a{.b}',
  '.spec.a}',
  '{range .spec.list[*]}{.n}{end}',
  '.spec.a b',
  '.spec .a',
  ' .spec.a',
  '.spec.a ',
  '.spec[',
  '.spec[]',
  '.spec[0',
  '.spec[?()]',
  '.spec[?(@)]',
  '.spec["a"',
  ".spec['a",
  '.spec[1:2:3:4]',
  '.spec[a:b]',
  '.spec[::0]',
  '.spec.list[99999999999999999999]',
  '',
  '.spec\n.a',
  '.spec.a\\',
  '.spec.\\a',
  '.spec.list[ 0 ]',
  '.spec.list[?(@.n=="x"]',
  '.spec.list[?(@.n==)]',
];
const types = ['string', 'integer', 'number', 'boolean', 'date'] as const;

const value = {
  spec: {
    a: 'A',
    b: 'B',
    list: [
      { n: 'x', v: 1, b: true },
      { n: 'y', v: 2 },
      { n: 'z', v: 1.5 },
    ],
    lists: [['p', 'q'], ['r']],
    map: { a: 1, 'a.b': 2, 'a/b': 3, 'a-b': 4, é: 5 },
    text: 'some text',
    empty: '',
    null: null,
    number: 7,
    float: 0.1,
    large: 9_007_199_254_740_993n.toString(),
    bool: false,
    time: '2001-01-01T00:00:00Z',
    future: '2999-01-01T00:00:00Z',
    date: '2001-01-01',
    nested: { n: { n: [1, { n: null }] } },
    lines: 'one\ntwo\tthree\r\nfour',
  },
};
const objects: { readonly [name: string]: object } = {
  full: value,
  bare: {},
  odd: {
    spec: { a: [1, null, 'x'], list: { n: 'x' }, map: [], text: 5, number: '7', float: 'x', bool: 'true', time: 5 },
  },
  numbers: { spec: { number: 1e21, float: -0.5, large: 9_007_199_254_740_991, bool: 1, text: 1e-7, date: true } },
  texts: {
    spec: { number: '', float: '0x10', bool: 'True', time: 'now', date: '2001-01-01T00:00:00.5Z', text: 'é\u0000' },
  },
};

/** Columns of the paths that a definition may have are few enough for a definition each. */
const chunks = (size: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(paths.length / size) }, (_, at) => paths.slice(at * size, (at + 1) * size));

const columnsOf = (some: readonly string[], type: string): readonly object[] =>
  some.map((jsonPath, at) => ({ name: `C${at}`, type, jsonPath }));

/** Members of a map come in any order. */
const unordered: readonly string[] = ['.spec.*', '.spec.map.*', '..n', '.spec..n'];

const fine = paths.filter(
  (path) =>
    !unordered.includes(path) &&
    /^\.[\w.*/\\é-]*(?:\[[^\]\n]+\][\w.[\]*]*)*$/.test(path) &&
    !/\.$|\\$|\[a|:b|0$|9{9}|::0|\(@\.n==\)|=~|&&|@\.length|"\]$/.test(path),
);

function valid(type: (typeof types)[number]): readonly Step[] {
  const plural = `${type}s`;
  const custom = {
    group,
    plural,
    kind: type[0]?.toUpperCase() + type.slice(1) + 'Row',
    properties: { spec: free, status: free },
  };
  const version = { additionalPrinterColumns: columnsOf(fine, type) };
  const all = places.custom(group, plural, space);
  return [
    ...define({ ...custom, version }),
    ...forEach(objects, (fields, name) => [
      post(`${type}: ${name}`, all, instance(custom, name, fields, { labels: { app: 'a' }, annotations: { b: 'c' } })),
      get(`${type}: ${name} as a row`, `${all}/${name}?includeObject=None`, { accept: tableType }),
    ]),
    get(`${type}: all rows`, `${all}?includeObject=None`, { accept: tableType }),
    ...undefine(custom),
  ];
}

const dry = (more: object, names = 'others'): object =>
  definition({ group, plural: names, kind: 'Other', properties: { spec: free }, version: more });
const column = (more: object): object => ({ name: 'A', type: 'string', jsonPath: '.spec.a', ...more });
const odd: { readonly [name: string]: readonly unknown[] } = {
  none: [],
  'a null': [null],
  'the same name': [column({}), column({})],
  'a name of nothing': [column({ name: '' })],
  'a name with blanks': [column({ name: 'a b\n' })],
  'a long name': [column({ name: 'x'.repeat(300) })],
  'priority zero': [column({ priority: 0 })],
  'a large priority': [column({ priority: 2_147_483_648 })],
  'a priority in text': [column({ priority: '1' })],
  'a fraction': [column({ priority: 1.5 })],
  ...Object.fromEntries(
    ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password', 'name', 'int-or-string', ''].map(
      (format) => [`format ${format}`, [column({ format }), column({ name: 'B', type: 'integer', format })]],
    ),
  ),
  ...Object.fromEntries(
    ['', 'String', 'datetime', 'date-time', 'null', 'any'].map((type) => [`type ${type}`, [column({ type })]]),
  ),
};

/** Reports: printer columns that show nothing, everything or an error. */
export const jsonPaths = script(
  space,
  inNamespace(space),
  forEach(Object.fromEntries(paths.map((path) => [path, path])), (jsonPath) =>
    post(
      `path ${JSON.stringify(jsonPath)}`,
      `${definitionsPath}?dryRun=All`,
      dry({ additionalPrinterColumns: [column({ jsonPath })] }),
    ),
  ),
  forEach(Object.fromEntries(paths.map((path) => [path, path])), (jsonPath) =>
    post(
      `selectable ${JSON.stringify(jsonPath)}`,
      `${definitionsPath}?dryRun=All`,
      dry({ selectableFields: [{ jsonPath }] }),
    ),
  ),
  forEach(odd, (additionalPrinterColumns, name) =>
    post(`columns: ${name}`, `${definitionsPath}?dryRun=All`, dry({ additionalPrinterColumns })),
  ),
  chunks(9).map((some, at) =>
    post(
      `paths, part ${at}`,
      `${definitionsPath}?dryRun=All`,
      dry({ additionalPrinterColumns: columnsOf(some, 'string') }),
    ),
  ),
  types.flatMap(valid),
);
