import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allBases } from '../../../tools/walk-schemas/bases.ts';
import { keyOf } from '../../../tools/walk-schemas/cases.ts';
import { oddRequests } from '../../../tools/walk-schemas/odd-requests.ts';
import { readOddRequests, readValues, type RecordedCase, shortened } from './recording.ts';
import { withAllVersions } from '../../../tools/walk-schemas/starts.ts';
import { type WalkResponse, WalkedServer } from '../../../tools/walk-schemas/walked-server.ts';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { knownDifferences } from './known-differences.ts';

// Empty, invalid and unusual values at every place of every kind, in every kind of write, and requests with names
// inherited by every JavaScript object, unusual keys and deep nesting: code, reason, message and causes match the
// reference.

let server: TestServer;
let walked: WalkedServer;

beforeAll(async () => {
  server = await startTestServer(...withAllVersions);
  walked = await WalkedServer.connect(server);
});

afterAll(async () => {
  walked?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

/**
 * Where the reference panics it sends no response; here it is a client error, or accepted.
 *
 * | request | the reference | here |
 * |---|---|---|
 * | strategic merge patch of a list whose merge key is a list or a map | panics and resets the stream | 422 |
 * | apply of values that do not fit their type or cannot be converted | 500 with details | the same |
 */
function isAsGood(ours: WalkResponse, theirs: WalkResponse): boolean {
  if (theirs.code === 0) return ours.code > 0 && ours.code < 500;
  return JSON.stringify(ours) === JSON.stringify(theirs);
}

/** Patterns, by the key of the cases that differed as known. */
const met = new Set<string>();

function isKnown(key: string): boolean {
  const found = knownDifferences.find(({ cases }) => cases.test(key));
  if (found !== undefined) met.add(found.why);
  return found !== undefined;
}

const recorded = Map.groupBy(readValues(), ({ label }) => label);
const bases = allBases().filter(({ label }) => recorded.has(label));

test('every served resource has a recorded case', () => {
  expect(bases.length).toBe(recorded.size);
  expect([...recorded.values()].reduce((sum, cases) => sum + cases.length, 0)).toBeGreaterThan(3_000);
});

test.each(bases)('$label responds like the reference', async (base) => {
  const cases: readonly RecordedCase[] = recorded.get(base.label) ?? [];
  const expected = new Map(cases.map(({ id, answer }) => [keyOf(base, id), answer]));
  const differences: string[] = [];
  let count = 0;
  for await (const { key, answer } of walked.play(
    base,
    cases.map(({ id }) => id),
  )) {
    count += 1;
    const theirs = expected.get(key);
    const ours = shortened(answer);
    if (theirs !== undefined && (isAsGood(ours, theirs) || isKnown(key))) continue;
    differences.push(`${key}\n  ours   ${JSON.stringify(ours)}\n  theirs ${JSON.stringify(theirs)}`);
  }
  expect(differences.join('\n')).toBe('');
  expect(count).toBe(cases.length);
});

test('the known differences still exist', () => {
  expect(knownDifferences.map(({ why }) => why).filter((why) => !met.has(why))).toEqual([]);
});

describe('unusual requests', () => {
  test('get the same responses as from the reference', async () => {
    const theirs = readOddRequests();
    expect([...theirs.keys()]).toEqual([...oddRequests.keys()]);
    const ours = await walked.ask(oddRequests);
    const differences = [...ours].flatMap(([name, answer]) => {
      const expected = theirs.get(name);
      return expected !== undefined && isAsGood(shortened(answer), expected) ? [] : [{ name, ours: answer, expected }];
    });
    expect(differences).toEqual([]);
  });
});
