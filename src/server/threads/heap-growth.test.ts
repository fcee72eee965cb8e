import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const heapGrowth = JSON.stringify(new URL('heap-growth.ts', import.meta.url).href);
// In a process of its own, since flags are those of all threads.
const program = `
  import { Script } from 'node:vm';
  import { letHeapsGrow, startingThread } from ${heapGrowth};
  const text = '(function () { return 1; })';
  const cachedData = new Script(text).createCachedData();
  const accepted = [];
  // Another text each time, of the same length: V8 remembers scripts by their text.
  const load = (name) => accepted.push(new Script(text.replace('1', name), { cachedData }).cachedDataRejected === false);
  load('2');
  letHeapsGrow();
  load('3');
  const [one, other] = [startingThread(), startingThread()];
  load('4');
  one[Symbol.dispose]();
  load('5');
  letHeapsGrow();
  load('6');
  other[Symbol.dispose]();
  load('7');
  console.log(JSON.stringify(accepted));
`;

test('kept code is accepted before heaps may grow, and later while any thread starts', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual([true, false, true, true, true, false]);
});
