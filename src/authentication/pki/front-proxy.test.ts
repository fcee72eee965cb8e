import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../api/time/clock.ts';
import { FrontProxy } from './front-proxy.ts';

test('the certificate is issued when first asked for, and stays', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'binnacle-pki-')), 'pki');
  const open = () => new FrontProxy({ folder, clock: systemClock });
  const authority = new X509Certificate(await open().authority());
  expect(await readdir(folder)).toEqual(['front-proxy-ca.crt', 'front-proxy-ca.key']);
  const { certificate, key } = await open().client();
  const client = new X509Certificate(certificate);
  expect(client.subject).toBe('CN=front-proxy-client');
  expect(client.verify(authority.publicKey)).toBe(true);
  expect(await open().client()).toEqual({ certificate, key });
  await rm(join(folder, '..'), { recursive: true });
});
