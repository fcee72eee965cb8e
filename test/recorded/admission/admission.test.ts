import { describe, expect, test } from 'vitest';
import { configDefaults } from '../../../src/server/config.ts';
import { expectRecorded } from '../expect-recorded.ts';
import { Player } from '../differential/player.ts';
import { readRecording } from '../differential/recording.ts';
import { asAlone, startTestServer } from '../../server-fixture.ts';
import { knownDifferences } from './known-differences.ts';
import { suites } from './suites.ts';

test('every known difference is of a step that exists', () => {
  const steps = suites.flatMap(({ scenario: { name, steps: all } }) => all.map((step) => `${name}: ${step.name}`));
  expect(Object.keys(knownDifferences).filter((step) => !steps.includes(step))).toEqual([]);
});

describe.each(suites)('$scenario.name', ({ scenario, config, controllers: more = [] }) => {
  const controllers = [...(asAlone.controllers ?? []), ...more];
  test('is answered as by the reference', { timeout: 60_000 }, async () => {
    await using server = await startTestServer(
      {},
      {},
      {
        config: {
          ...asAlone,
          controllers,
          ...config,
          api: { ...configDefaults.api, allowPrivileged: true, ...config.api },
        },
      },
    );
    using player = await Player.connect(server);
    const recorded = readRecording(scenario.name, 'admission');
    for (const [step, answer] of await player.play(scenario)) {
      const key = `${scenario.name}: ${step}`;
      const isKnown = knownDifferences[key] !== undefined;
      expectRecorded({ name: key, answer, recorded: recorded.get(step), isKnown });
    }
  });
});
