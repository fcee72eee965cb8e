import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configDefaults, type RunningServer } from '../../src/server/config.ts';
import { startServer } from '../../src/server/start-server.ts';
import { builtInWiring, type Wiring } from '../../src/server/wiring.ts';
import { ApiClient } from '../api-client.ts';
import { withoutAccounts } from '../server-fixture.ts';

/** A store that works, but never answers whether it is ready. */
const silent: Wiring = {
  ...builtInWiring,
  storageEngines: builtInWiring.storageEngines
    .filter(({ name }) => name === 'embedded')
    .map((row) => ({
      ...row,
      open: async (config, schemaOf) => ({
        ...(await row.open(config, schemaOf)),
        checkReady: () => Promise.withResolvers<void>().promise,
      }),
    })),
};

function startIn(dataDir: string, initializationTimeoutMs: number): Promise<RunningServer> {
  const { serving, storage } = configDefaults;
  return startServer(
    {
      ...configDefaults,
      dataDir,
      admission: withoutAccounts,
      controllers: [],
      logging: { level: 'error' },
      serving: { ...serving, bindAddress: '127.0.0.1', securePort: 0 },
      storage: { ...storage, inMemory: true, initializationTimeoutMs },
    },
    { wiring: silent },
  );
}

const hook = '/readyz/poststarthook/storage-readiness';

test('readiness waits for the store for as long as --storage-initialization-timeout says', async () => {
  const root = await mkdtemp(join(tmpdir(), 'binnacle-readiness-'));
  const timeoutMs = 1_000;
  const beganMs = performance.now();
  const [patient, other] = [
    await startIn(join(root, 'patient'), 3_600_000),
    await startIn(join(root, 'other'), timeoutMs),
  ];
  using waiting = await ApiClient.connect(patient);
  using client = await ApiClient.connect(other);
  // Nothing else is held up.
  expect((await client.send('GET', '/api/v1/namespaces/default')).code).toBe(200);
  await other.settled;
  expect(performance.now() - beganMs).toBeGreaterThanOrEqual(timeoutMs);
  expect(await client.text(hook)).toBe('ok');
  expect((await waiting.exchange('GET', hook, {})).code).toBe(500);
  expect((await waiting.send('GET', '/api/v1/namespaces/default')).code).toBe(200);
  // Nor does what waits keep the server from stopping.
  await Promise.all([patient.close(), other.close()]);
  await patient.settled;
  await rm(root, { recursive: true });
});
