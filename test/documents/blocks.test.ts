import { expect, test } from 'vitest';
import { blocksOf, isOutput } from './blocks.ts';

test('blocks have a language, marks and a text, also in lists and comments', () => {
  const page = [
    'Text\n```sh background="it serves"\nserve\n```',
    '- item\n\n  ```js file=a.js continues\n  a();\n    b();\n  ```',
    '<!--\n```sh\nhidden\n```\n-->',
    '```sh in=go-operator\ngo test\n```',
  ].join('\n');
  expect(blocksOf(page).map(({ marks, ...block }) => ({ ...block, marks: [...marks] }))).toEqual([
    { language: 'sh', marks: [['background', 'it serves']], text: 'serve\n', line: 2 },
    {
      language: 'js',
      text: 'a();\n  b();\n',
      line: 7,
      marks: [
        ['file', 'a.js'],
        ['continues', ''],
      ],
    },
    { language: 'sh', marks: [], text: 'hidden\n', line: 12 },
    { language: 'sh', marks: [['in', 'go-operator']], text: 'go test\n', line: 16 },
  ]);
  expect(() => blocksOf('```sh backgruond=x\n```')).toThrow('there is no mark backgruond');
  expect(() => blocksOf('```sh\nserve')).toThrow('line 1: the block does not end');
});

test('output is compared but for blanks and for what is left out', () => {
  const shown = 'NAME      AGE\ndefault   ...\nserves https://...:6443 [a]\n';
  expect(isOutput('NAME   AGE\ndefault   3s   \nserves https://127.0.0.1:6443 [a]\n\n', shown)).toBe(true);
  expect(isOutput('NAME   AGE\ndefaults  3s\nserves https://127.0.0.1:6443 [a]', shown)).toBe(false);
  expect(isOutput('NAME   AGE\ndefault   3s\nserves https://127.0.0.1:6443 a', shown)).toBe(false);
  expect(isOutput('NAME   AGE\ndefault   3s\nother\nserves https://127.0.0.1:6443 [a]', shown)).toBe(false);
});
