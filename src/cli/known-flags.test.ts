import { expect, test } from 'vitest';
import { builtFlags } from './built-flags.ts';
import { flagFacts } from './flag-facts.ts';

/** The command prints them itself. */
const printed = ['help', 'version'];

test('each flag of kube-apiserver is honoured', () => {
  const honoured = builtFlags.map(({ name }) => name);
  expect(new Set(honoured).size).toBe(honoured.length);
  const known = new Set([...honoured, ...printed]);
  expect(flagFacts.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  expect(flagFacts.length).toBe(172);
});
