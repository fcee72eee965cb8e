import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/api/json/json.ts';
import { asAlone, startTestServer } from '../../server-fixture.ts';
import { readResponses } from '../recording.ts';
import { emulations, olderVersions, playVersions } from './versions.ts';

// What kube-apiserver did; recorded by `node test/record.ts policy-versions`.
const recorded = readResponses<JsonObject>('policies', 'versions');

test.each(emulations)('versions of policies, $name', async ({ name, release, older }) => {
  const runtimeConfig = new Map(older ? olderVersions.map((version) => [version, true]) : []);
  await using server = await startTestServer({ emulatedVersion: release, runtimeConfig }, {}, { config: asAlone });
  expect(await playVersions({ server, settleMs: 0 })).toEqual(recorded.get(name));
});
