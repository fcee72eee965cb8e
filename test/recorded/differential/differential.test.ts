import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { expectRecorded } from '../expect-recorded.ts';
import { knownDifferences } from './known-differences.ts';
import { Player } from './player.ts';
import { readRecording } from './recording.ts';
import { scenarios } from './scenarios/all.ts';

let server: TestServer;
let player: Player;

beforeAll(async () => {
  // Recorded where no kube-controller-manager was.
  server = await startTestServer({ allowPrivileged: true }, {}, { config: { controllers: [] } });
  player = await Player.connect(server);
});

afterAll(async () => {
  player?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

test('there are at least 300 requests', () => {
  expect(scenarios.reduce((sum, { steps }) => sum + steps.length, 0)).toBeGreaterThanOrEqual(300);
});

test('every known difference is for an existing step', () => {
  const steps = new Set(scenarios.flatMap(({ name, steps: all }) => all.map((step) => `${name}: ${step.name}`)));
  expect(Object.keys(knownDifferences).filter((step) => !steps.has(step))).toEqual([]);
});

describe.each(scenarios)('$name', (scenario) => {
  test('responds like the reference', async () => {
    const recorded = readRecording(scenario.name);
    const answers = await player.play(scenario);
    for (const [step, answer] of answers) {
      const key = `${scenario.name}: ${step}`;
      const isKnown = knownDifferences[key] !== undefined;
      expectRecorded({ name: key, answer, recorded: recorded.get(step), isKnown });
    }
  });
});
