import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/api/json/json.ts';
import { Connection } from '../../../tools/compare-requests/connection.ts';
import { differences } from '../../../tools/compare-requests/differences.ts';
import { knownDifference, knownDifferences } from '../../../tools/compare-requests/known-differences.ts';
import { ownPace, startOwn } from '../../../tools/compare-requests/own-server.ts';
import { play } from '../../../tools/compare-requests/play.ts';
import { readRecording } from './recording.ts';
import type { Script } from '../../../tools/compare-requests/script.ts';
import { scripts } from '../../../tools/compare-requests/scripts/all.ts';
import { describeWithEtcd, EtcdProcess } from '../../etcd-process.ts';
import { inParallel } from '../../in-parallel.ts';
import type { TestServer } from '../../server-fixture.ts';

// Requests in the manner of public reports, whose answers `tools/compare-requests` has recorded of kube-apiserver.

const keys = scripts.flatMap(({ name, steps }) => steps.map((step) => `${name}: ${step.name}`));

test('there are at least 25,000 requests', () => {
  expect(keys.length).toBeGreaterThanOrEqual(25_000);
});

test('every known difference is of a step', () => {
  expect(knownDifferences.filter(({ steps }) => !keys.some((key) => steps.test(key)))).toEqual([]);
});

test('every definition of a script is accepted: what follows would be about nothing', () => {
  const refused = scripts.flatMap(({ name }) => {
    const answers = [...readRecording(name)].filter(([step]) => step.startsWith('define '));
    return answers.filter(([, { code }]) => code !== 201).map(([step]) => `${name}: ${step}`);
  });
  expect(refused).toEqual([]);
});

test('scripts are answered like by the reference', async () => {
  await using server = await startOwn();
  expect(await wrongIn(scripts, server)).toEqual([]);
}, 900_000);

describeWithEtcd('on etcd', () => {
  const versions = scripts.filter(({ name }) =>
    /^(?:version-|resource-versions$|pages-of-lists$|streamed-)/.test(name),
  );

  test('resource versions and pages are answered like by the reference', async () => {
    await using etcd = await EtcdProcess.start();
    await using server = await startOwn(etcd.url);
    expect(versions.length).toBeGreaterThan(10);
    expect(await wrongIn(versions, server)).toEqual([]);
  }, 900_000);
});

/** Its documents change with the definitions of other scripts. */
function isOfAllKinds({ name }: Script): boolean {
  return name === 'openapi-documents';
}

async function wrongIn(played: readonly Script[], server: TestServer): Promise<readonly string[]> {
  using connection = await Connection.open(server);
  const wrong: string[] = [];
  const take = async (script: Script) => wrong.push(...(await wrongSteps(script, connection)));
  for (const script of played.filter(isOfAllKinds)) await take(script);
  const others = played.filter((script) => !isOfAllKinds(script));
  await inParallel(others, 8, take);
  return wrong;
}

/** Steps that differ without being known to, or are known to and do not. */
async function wrongSteps(script: Script, connection: Connection): Promise<readonly string[]> {
  const recorded = readRecording(script.name);
  const answers = await play(script, { connection, pace: ownPace });
  return [...answers].flatMap(([step, answer]) => {
    const key = `${script.name}: ${step}`;
    // Answers are data.
    const [expected, actual] = [recorded.get(step) ?? null, answer].map((value) => value as JsonValue);
    const different = differences(expected ?? null, actual ?? null, 3);
    const known = knownDifference(key);
    if (known === undefined) return different.length === 0 ? [] : [`${key}: ${different.join('; ')}`];
    return different.length > 0 || known.isTimed === true ? [] : [`${key} no longer differs: take it off the list`];
  });
}
