import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordedKinds } from './kinds.ts';
import { inNamespace, readRecorded, send } from './recording.ts';
import { Player } from '../differential/player.ts';
import { inParallel } from '../../in-parallel.ts';
import { startTestServer, type TestServer } from '../../server-fixture.ts';

// Random objects of every kind, and the reference's results.

/** They are dry runs. */
const requestsAtOnce = 16;

let server: TestServer;
let player: Player;

beforeAll(async () => {
  server = await startTestServer({ allowPrivileged: true });
  player = await Player.connect(server);
  await player.play(inNamespace);
});

afterAll(async () => {
  player?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

describe.each(recordedKinds())('$label', (kind) => {
  const recorded = readRecorded(kind);

  test('is defaulted like by the reference', async () => {
    await inParallel([...recorded.entries()], requestsAtOnce, async ([index, { object, answer }]) => {
      const key = `${kind.label} ${index}`;
      const ours = await send(player, kind, object);
      expect.soft(ours, `${key}: ${JSON.stringify(object)}`).toEqual(answer);
    });
  });
});
