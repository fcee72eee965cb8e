import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/api/time/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import { configDefaults } from '../../src/server/config.ts';
import { startTestServer } from '../server-fixture.ts';
import { issuerShown } from './issuer-shown.ts';

test('certificates are served by the name that a client asks for, and read again when they change', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-sni-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const made = async (name: string, dnsNames: readonly string[]) => {
    const { server } = await openCertificateStore({
      folder: join(folder, name),
      serverNames: { dnsNames: [...dnsNames], ipAddresses: [] },
      clock: systemClock,
    });
    return server;
  };
  const write = async (to: string, { certificate, key }: Awaited<ReturnType<typeof made>>): Promise<void> => {
    await Promise.all([writeFile(join(folder, `${to}.key`), key), writeFile(join(folder, `${to}.crt`), certificate)]);
  };
  const [foo, bar, later] = await Promise.all([
    made('one', ['foo.example']),
    made('two', ['bar.example', 'bar.test']),
    made('three', ['foo.example']),
  ]);
  await Promise.all([write('foo', foo), write('bar', bar)]);
  const filesOf = (name: string) => ({ certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) });
  const serving = {
    ...configDefaults.serving,
    bindAddress: '127.0.0.1',
    securePort: 0,
    sniCertificates: [
      { ...filesOf('foo'), names: ['foo', '*.foo.example'] },
      { ...filesOf('bar'), names: [] },
    ],
  };
  await using server = await startTestServer({}, {}, { config: { serving } });
  const shown = (name: string): Promise<string> => issuerShown(server.url, name);
  const [own, ofFoo, ofBar] = [await shown('localhost'), await shown('foo'), await shown('bar.test')];
  expect(new Set([own, ofFoo, ofBar]).size).toBe(3);
  expect(await shown('A.foo.example')).toBe(ofFoo);
  expect(await shown('bar.example')).toBe(ofBar);
  // The names that are given count, not those in the certificate.
  expect(await shown('foo.example')).toBe(own);
  await write('foo', later);
  await expect.poll(() => shown('foo'), { timeout: 5000 }).not.toBe(ofFoo);
  expect(await shown('bar.test')).toBe(ofBar);
});
