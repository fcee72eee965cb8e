import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KeyFileError } from '../../src/authentication/service-account/keys.ts';
import { configDefaults } from '../../src/server/config.ts';
import { startTestServer } from '../server-fixture.ts';

test.each(['keyFiles', 'signingKeyFile'] as const)('a server whose %s has no key does not start', async (option) => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-keys-'));
  try {
    const path = join(folder, 'sa.pem');
    await writeFile(path, 'no key');
    const { authentication } = configDefaults;
    const serviceAccounts = { ...authentication.serviceAccounts, [option]: option === 'keyFiles' ? [path] : path };
    const config = { authentication: { ...authentication, serviceAccounts } };
    await expect(startTestServer({}, { inMemory: true }, { config })).rejects.toThrow(KeyFileError);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
