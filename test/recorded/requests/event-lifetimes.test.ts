import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import { Connection } from '../../../tools/compare-requests/connection.ts';
import type { StepResponse } from '../../../tools/compare-requests/script.ts';
import { differences } from '../../../tools/compare-requests/differences.ts';
import { play } from '../../../tools/compare-requests/play.ts';
import { readRecording } from './recording.ts';
import {
  eventLifetimes,
  lifetimeSeconds,
  lifetimesPace,
} from '../../../tools/compare-requests/scripts/event-lifetimes.ts';
import { describeWithEtcd, EtcdProcess } from '../../etcd-process.ts';
import { onEtcd, startTestServer } from '../../server-fixture.ts';

// How events end, as `record-lifetimes.ts` has recorded it of kube-apiserver.

const storage = { eventTtlSeconds: lifetimeSeconds };

test('events end like those of the reference', async () => {
  await using server = await startTestServer({}, storage);
  expect(await wrongSteps(server)).toEqual([]);
}, 60_000);

describeWithEtcd('on etcd', () => {
  test('events end like those of the reference', async () => {
    await using etcd = await EtcdProcess.start();
    await using server = await startTestServer({}, { ...onEtcd(etcd.url), ...storage });
    expect(await wrongSteps(server)).toEqual([]);
  }, 60_000);
});

async function wrongSteps(server: {
  readonly url: string;
  readonly kubeconfigPath: string;
}): Promise<readonly string[]> {
  using connection = await Connection.open(server);
  const recorded = readRecording(eventLifetimes.name);
  const answers = await play(eventLifetimes, { connection, pace: lifetimesPace });
  return [...answers].flatMap(([step, answer]) => {
    const [expected, actual] = [recorded.get(step), answer].map(withoutOrderOfDeletions);
    const different = differences(expected ?? null, actual ?? null, 3);
    return different.length === 0 ? [] : [`${step}: ${different.join('; ')}`];
  });
}

/** Keys that end in the same half second are deleted by etcd in any order. */
function withoutOrderOfDeletions(answer: StepResponse | undefined): JsonValue {
  const { body = null } = answer ?? {};
  if (answer === undefined || !Array.isArray(body)) return (answer ?? null) as unknown as JsonValue; // Answers are data.
  const ordered: JsonValue[] = [];
  let deletions: JsonValue[] = [];
  const end = (): void => {
    ordered.push(...deletions.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)));
    deletions = [];
  };
  for (const event of body) {
    if (isJsonObject(event) && event['type'] === 'DELETED') deletions.push(withoutVersions(event));
    else {
      end();
      ordered.push(event);
    }
  }
  end();
  return { ...answer, body: ordered } as unknown as JsonValue;
}

/** Versions are named in the order in which they are shown. */
function withoutVersions(event: JsonObject): JsonValue {
  return JSON.parse(JSON.stringify(event).replaceAll(/"rv\d+\.\d+"/g, '"rv"')) as JsonValue; // JSON as before
}
