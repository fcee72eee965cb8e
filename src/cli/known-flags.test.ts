import { expect, test } from 'vitest';
import { builtFlags } from './built-flags.ts';
import { flagFacts } from './flag-facts.ts';
import { mootValues } from './moot-flags.ts';

/** The command prints them itself. */
const printed = ['help', 'version'];

test('each flag of kube-apiserver is honoured, or only its default is', () => {
  const honoured = builtFlags.map(({ name }) => name);
  expect(new Set(honoured).size).toBe(honoured.length);
  const known = new Set([...honoured, ...printed, ...Object.keys(mootValues)]);
  expect(flagFacts.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  expect(flagFacts.length).toBe(172);
});
