import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../api/time/clock.ts';
import { openCertificateStore } from '../../authentication/pki/certificate-store.ts';
import { checkSigning } from './check-signing.ts';
import { SigningConfigError, signingDefaults } from './signing-config.ts';

test('an authority must be readable, and its key its own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-signing-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await openCertificateStore({ folder, serverNames: { dnsNames: [], ipAddresses: [] }, clock: systemClock });
  const certFile = join(folder, 'ca.crt');
  const keyFile = join(folder, 'ca.key');
  await checkSigning(signingDefaults);
  await checkSigning({ ...signingDefaults, all: { certFile, keyFile } });
  const broken = join(folder, 'broken.key');
  await writeFile(broken, 'no key');
  for (const wrong of [join(folder, 'nowhere.key'), broken]) {
    const checked = checkSigning({ ...signingDefaults, all: { certFile, keyFile: wrong } });
    await expect(checked).rejects.toThrow(SigningConfigError);
  }
});
