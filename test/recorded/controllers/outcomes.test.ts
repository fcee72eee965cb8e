import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/api/time/clock.ts';
import { openCertificateStore } from '../../../src/authentication/pki/certificate-store.ts';
import { configDefaults } from '../../../src/server/config.ts';
import { ApiClient } from '../../api-client.ts';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { allScripts, readOutcomes } from './all-scripts.ts';
import { playSteps, readOutcome } from '../../controllers/script.ts';

let folder: string;
let server: TestServer;
let client: ApiClient;
const outcomes = readOutcomes();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-authority-'));
  const serverNames = { dnsNames: [], ipAddresses: [] };
  await openCertificateStore({ folder, serverNames, clock: systemClock });
  const all = { certFile: join(folder, 'ca.crt'), keyFile: join(folder, 'ca.key') };
  const { control } = configDefaults;
  const config = { controllers: ['*'], control: { ...control, signing: { ...control.signing, all } } };
  server = await startTestServer({}, {}, { config });
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test('all that is recorded is played', () => {
  expect(allScripts.map(({ name }) => name)).toEqual([...outcomes.keys()]);
});

/** One after the other: the later ones use nodes of the earlier ones. */
test.for(allScripts)('$name: ends as beside kube-controller-manager', async (script) => {
  await playSteps(client, script);
  await expect
    .poll(() => readOutcome(client, script), { timeout: 20_000, interval: 100 })
    .toEqual(outcomes.get(script.name));
});
