import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generateKeyPair, issueCertificate } from '../../src/codec/x509/issue-certificate.ts';
import { configDefaults } from '../../src/server/config.ts';
import { startTestServer } from '../server-fixture.ts';
import { issuerShown } from './issuer-shown.ts';

const dayMs = 86_400_000;

/** A serving certificate of an authority that is not Binnacle's, as test frameworks and installers put it there. */
async function writeForeignPair(folder: string, authority: string): Promise<string> {
  const [issuer, keys] = [generateKeyPair(), generateKeyPair()];
  const certificate = issueCertificate(
    {
      subject: { commonName: 'kube-apiserver' },
      usage: 'server',
      names: { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] },
      notBeforeMs: Date.now() - dayMs,
      notAfterMs: Date.now() + dayMs,
    },
    keys.publicKey,
    { name: { commonName: authority }, ...issuer },
  );
  await writeFile(join(folder, 'apiserver.key'), keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(join(folder, 'apiserver.crt'), certificate);
  return certificate;
}

test('a serving certificate found in --cert-dir is served, left alone and read again when it changes', async () => {
  const certDir = await mkdtemp(join(tmpdir(), 'binnacle-cert-dir-'));
  onTestFinished(() => rm(certDir, { recursive: true }));
  const certificate = await writeForeignPair(certDir, 'operator');
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, certDir };
  await using server = await startTestServer({}, {}, { config: { serving } });
  expect(await issuerShown(server.url, 'localhost')).toBe('operator');
  expect(await readFile(join(certDir, 'apiserver.crt'), 'utf8')).toBe(certificate);
  expect(await readFile(server.kubeconfigPath, 'utf8')).toContain(Buffer.from(certificate).toString('base64'));
  await writeForeignPair(certDir, 'another operator');
  await expect.poll(() => issuerShown(server.url, 'localhost')).toBe('another operator');
});

test('one that Binnacle has issued there is renewed with its authority', async () => {
  const certDir = await mkdtemp(join(tmpdir(), 'binnacle-cert-dir-'));
  onTestFinished(() => rm(certDir, { recursive: true }));
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, certDir };
  const issuer = async (): Promise<string> => {
    await using server = await startTestServer({}, {}, { config: { serving } });
    return await issuerShown(server.url, 'localhost');
  };
  const first = await issuer();
  expect(await issuer()).toBe(first);
  await Promise.all(['ca.crt', 'ca.key'].map((name) => rm(join(certDir, name))));
  expect(await issuer()).not.toBe(first);
});
