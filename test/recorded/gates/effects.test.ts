import { expect, test } from 'vitest';
import { startTestServer } from '../../server-fixture.ts';
import { play } from './play.ts';
import { readRecording } from './recording.ts';
import { settings } from './requests.ts';

// What the reference answers with gates of rules on, off, and by default.

const recorded = readRecording();

test.each(Object.entries(settings))('gates: %s', async (name, featureGates) => {
  await using server = await startTestServer({ featureGates: new Map(featureGates) });
  expect(await play(server)).toEqual(recorded[name]);
});
