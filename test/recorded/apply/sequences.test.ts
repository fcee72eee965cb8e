import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answersTo, digestOf } from './answers.ts';
import { readSequences } from './recorded-sequences.ts';
import { chosenKinds, sequenceOf } from './sequence.ts';
import { inNamespace } from '../defaults/recording.ts';
import { Player } from '../differential/player.ts';
import { inParallel } from '../../in-parallel.ts';
import { startTestServer, type TestServer } from '../../server-fixture.ts';

// Random sequences of applies, updates and patches by several managers; the reference's responses as digests.

/** Each writes an object of its own. */
const sequencesAtOnce = 16;

let server: TestServer;
let player: Player;

beforeAll(async () => {
  server = await startTestServer({}, {}, { config: { controllers: [] } });
  player = await Player.connect(server);
  await player.play(inNamespace);
});

afterAll(async () => {
  player?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

const recorded = readSequences('sequences');

test('there are at least 20,000 steps', () => {
  expect(recorded.reduce((sum, { digests }) => sum + digests.length, 0)).toBeGreaterThanOrEqual(20_000);
});

describe.each(chosenKinds())('$label', (kind) => {
  test('objects and owners match the reference after every step', async () => {
    const sequences = recorded.filter(({ label }) => label === kind.label);
    await inParallel(sequences, sequencesAtOnce, async ({ seed, digests }) => {
      const answers = await answersTo(player, kind, seed);
      const different = answers.findIndex((answer, index) => digestOf(answer) !== digests[index]);
      const step = different === -1 ? undefined : sequenceOf(kind, seed)[different];
      expect.soft(step, `seed ${seed} step ${different}: ${JSON.stringify(answers[different])}`).toBeUndefined();
    });
  });
});
