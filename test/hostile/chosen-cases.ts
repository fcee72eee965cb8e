import { afterAll, describe, expect, test } from 'vitest';
import { launcher } from '../release-form.ts';
import { allCases } from './all-cases.ts';
import type { HostileCase } from './hostile-case.ts';
import { describeTrial } from './report.ts';
import { Suite } from './suite.ts';

/** Tries cases against a server, one after the other. */
export function testCases(names: readonly string[]): void {
  const suite = new Suite({ launcher });
  afterAll(() => suite[Symbol.asyncDispose]());

  describe('other clients are served meanwhile', () => {
    test.for(names)('%s', async (name) => {
      const { trial, attempts } = await suite.run(caseOf(name));
      const report = describeTrial(trial, attempts);
      console.log(report);
      expect(trial.complaints, report).toEqual([]);
    });
  });
}

function caseOf(name: string): HostileCase {
  const found = allCases.filter((hostile) => hostile.name === name);
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} cases are called ${name}`);
  return found[0];
}
