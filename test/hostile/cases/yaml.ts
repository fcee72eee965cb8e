import { type HostileCase, requestCase } from '../hostile-case.ts';
import { items, namespaced } from '../text-bodies.ts';

const head = 'apiVersion: v1\nkind: Pod\nmetadata: {name: hostile}\n';
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: hostile}\n';
const bytes = 2_900_000;

const lines = (line: string | ((index: number) => string), length = bytes): string =>
  typeof line === 'string'
    ? `${line}\n`.repeat(length / (line.length + 1))
    : items((index) => line(index).replaceAll(',', '\0'), length)
        .replaceAll(',', '\n')
        .replaceAll('\0', ',');

/** A billion laughs: ten levels of ten aliases each. */
function laughs(): string {
  const levels = Array.from({ length: 10 }, (_, level) => {
    const of = level === 0 ? '"lol"' : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array.from({ length: 10 }, () => of).join(',')}]`;
  });
  return `${head}${levels.join('\n')}\n`;
}

/** YAML bodies of the maximum size that are expensive to parse. */
const bodies: Readonly<Record<string, () => string>> = {
  'empty containers': () => `${head}spec:\n  containers:\n${lines('  - {}')}\n`,
  'empty containers in flow': () => `${head}spec: {containers: [${items('{}')}]}\n`,
  'nulls for containers': () => `${head}spec:\n  containers:\n${lines('  -')}\n`,
  'nothing but dashes': () => `${head}x:\n${'- '.repeat(bytes / 2)}\n`,
  'unknown fields': () => head + lines((n) => `u${n}: 1`),
  'duplicate keys': () => head + lines('u: 1'),
  'keys of data': () => `${configMap}data:\n${lines((n) => `  a${n}: ''`)}\n`,
  'keys of data in flow': () => `${configMap}data: {${items((n) => `a${n}: ''`)}}\n`,
  numbers: () => `${head}x: [${items('1')}]\n`,
  'a number of a million digits': () => `${head}x: ${'1'.repeat(1_000_000)}\n`,
  'a number in base 60': () => `${head}x: ${'1:'.repeat(1_000_000)}1\n`,
  'a number with underscores': () => `${head}x: 1${'_'.repeat(bytes)}\n`,
  'a fraction of points': () => `${head}x: 1${'.'.repeat(bytes)}\n`,
  'an exponent': () => `${head}x: 1e${'0'.repeat(bytes)}\n`,
  'a plain scalar of many lines': () => `${configMap}data:\n  a: ${lines('    b').trimStart()}\n`,
  'a plain scalar of colons': () => `${configMap}data:\n  a: ${'b:'.repeat(bytes / 2)}\n`,
  'a plain scalar of hashes': () => `${configMap}data:\n  a: ${'b#'.repeat(bytes / 2)}\n`,
  'a block scalar': () => `${configMap}data:\n  a: |\n${lines('    b')}\n`,
  'a folded scalar of empty lines': () => `${configMap}data:\n  a: >\n    a${'\n'.repeat(bytes)}    b\n`,
  'a block scalar of blanks': () => `${configMap}data:\n  a: |\n${`${' '.repeat(200)}\n`.repeat(bytes / 201)}`,
  'a block scalar of growing blanks': () =>
    `${configMap}data:\n  a: |\n${Array.from({ length: 2300 }, (_, n) => ' '.repeat(n)).join('\n')}\n`,
  'quoted escapes': () => `${configMap}data:\n  a: "${'\\x41'.repeat(bytes / 4)}"\n`,
  'quoted line breaks': () => `${configMap}data:\n  a: "${'\n'.repeat(bytes)}"\n`,
  'quoted blanks and breaks': () => `${configMap}data:\n  a: "${' \n'.repeat(bytes / 2)}"\n`,
  'quotes in quotes': () => `${configMap}data:\n  a: '${"''".repeat(bytes / 2)}'\n`,
  comments: () => head + lines('#'),
  'one comment': () => `${head}#${'#'.repeat(bytes)}\n`,
  'blank lines': () => head + '\n'.repeat(bytes),
  blanks: () => `${head}x:${' '.repeat(bytes)}1\n`,
  tabs: () => `${head}x:${'\t'.repeat(bytes)}1\n`,
  'carriage returns': () => head + '\r'.repeat(bytes),
  laughs: laughs,
  anchors: () => `${head}x:\n${lines((n) => `- &a${n} 1`)}\n`,
  'aliases of a scalar': () => `${head}x: &a 1\ny: [${items('*a')}]\n`,
  'aliases of a map': () => `${head}x: &a {b: 1}\ny: [${items('*a')}]\n`,
  'aliases of a large map': () =>
    `${head}x: &a {${items((n) => `b${n}: 1`, 1_000_000)}}\ny: [${items('*a', 1_000_000)}]\n`,
  'an alias of itself': () => `${head}x: &a [*a]\n`,
  merges: () => `${head}x: &a {b: 1}\ny:\n${lines('- {<<: *a}')}\n`,
  'merges of merges': () => `${head}a0: &a0 {b: 1}\n${lines((n) => `a${n + 1}: &a${n + 1} {<<: *a${n}}`, 400_000)}\n`,
  'a merge of many': () => `${head}x: &a {b: 1}\ny: {<<: [${items('*a')}]}\n`,
  'merges of a large map': () =>
    `${head}x: &a {${items((n) => `b${n}: 1`, 100_000)}}\ny:\n${lines('- {<<: *a}', 1_000_000)}\n`,
  tags: () => `${head}x: [${items('!!str 1')}]\n`,
  'a tag without end': () => `${head}x: !${'a'.repeat(bytes)} 1\n`,
  'escaped tags': () => `${head}x: !<${'%41'.repeat(bytes / 3)}> 1\n`,
  'tag directives': () => `${lines((n) => `%TAG !a${n}! tag:a`)}\n---\n${head}`,
  'unknown directives': () => `${lines('%A b')}\n---\n${head}`,
  documents: () => head + lines('---'),
  'lists in lists': () => `${head}x: ${'['.repeat(bytes)}`,
  'maps in maps': () => `${head}x: ${'{a: '.repeat(bytes / 4)}`,
  'complex keys': () => `${head}x:\n${lines('  ? [a]')}\n`,
  'lists as keys in lists as keys': () => `${head}x: ${'{? ['.repeat(9000)}${']}'.repeat(9000)}\n`,
  'keys without values': () => `${head}x: {${items((n) => `a${n}`)}}\n`,
  questions: () => `${head}x: ${'? '.repeat(bytes / 2)}\n`,
  'growing indentation': () => `${head}${Array.from({ length: 2400 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')}\n`,
  'byte order marks': () => head + '\ufeff'.repeat(bytes / 3),
  base64: () => `${head}x: !!binary ${'AAAA'.repeat(bytes / 4)}\n`,
  'one word': () => `${head}x: ${'a'.repeat(bytes)}\n`,
  'one word of other letters': () => `${head}x: ${'é'.repeat(bytes / 2)}\n`,
  'one word of pairs': () => `${head}x: ${'😀'.repeat(bytes / 4)}\n`,
  times: () => `${head}x: 2001-01-01 ${'0'.repeat(bytes)}\n`,
};

/** These are ConfigMaps. */
const ofData = (name: string): boolean => /data|scalar|quote/.test(name);

export const yamlCases: readonly HostileCase[] = Object.entries(bodies).map(([name, body]) =>
  requestCase({
    name: `YAML: ${name}`,
    path: `${namespaced(ofData(name) ? 'configmaps' : 'pods')}?dryRun=All&fieldValidation=Ignore`,
    headers: { 'content-type': 'application/yaml' },
    codes: [201, 400, 413, 422, ...(ofData(name) ? [500] : [])],
    body,
  }),
);

/** The bodies as applies: unknown and invalid fields are found through the merge schema. */
export const applyCases: readonly HostileCase[] = Object.entries(bodies).map(([name, body]) =>
  requestCase({
    name: `apply: ${name}`,
    method: 'PATCH',
    path: `${namespaced(ofData(name) ? 'configmaps' : 'pods')}/hostile?fieldManager=a&dryRun=All&fieldValidation=Ignore`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    codes: [200, 201, 400, 413, 422, 500],
    body,
  }),
);
