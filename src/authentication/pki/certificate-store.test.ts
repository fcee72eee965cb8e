import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../api/time/clock.ts';
import { type Certificates, openCertificateStore } from './certificate-store.ts';

const dayMs = 86_400_000;
const names = { dnsNames: ['localhost', 'kubernetes.default.svc'], ipAddresses: ['127.0.0.1', '::1', '10.0.0.1'] };

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'binnacle-pki-')), 'pki');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

function open(serverNames = names, daysFromNow = 0): Promise<Certificates> {
  return openCertificateStore({ folder, serverNames, clock: { now: () => systemClock.now() + daysFromNow * dayMs } });
}

/** What each side saw of a handshake with the server's certificate. */
async function handshake({ authority, server, admin }: Certificates, client: ConnectionOptions = {}) {
  const listener = createServer({
    cert: server.certificate,
    key: server.key,
    ca: authority,
    requestCert: true,
    rejectUnauthorized: false,
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo; // a TCP listener
  const accepted = once(listener, 'secureConnection') as Promise<[TLSSocket]>;
  const options = { ca: authority, cert: admin.certificate, key: admin.key, host: '127.0.0.1', port, ...client };
  const socket = connect(options);
  try {
    await once(socket, 'secureConnect');
    const [peer] = await accepted;
    const seen = { clientAuthorized: peer.authorized, subject: peer.getPeerCertificate().subject };
    peer.destroy();
    return seen;
  } finally {
    socket.destroy();
    listener.close();
  }
}

describe('certificates generated on the first start', () => {
  test('work for a TLS handshake in both directions', async () => {
    const seen = await handshake(await open());
    expect(seen.clientAuthorized).toBe(true);
    expect({ ...seen.subject }).toEqual({ O: 'system:masters', CN: 'kubernetes-admin' });
  });

  test('have keys that name their algorithm', async () => {
    const { admin, server } = await open();
    for (const { key } of [admin, server]) expect(key).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
  });

  test.each(['localhost', 'kubernetes.default.svc'])('stand for the name %s', async (servername) => {
    const seen = await handshake(await open(), { servername });
    expect(seen.clientAuthorized).toBe(true);
  });

  test('are not valid for another name', async () => {
    const made = await open();
    await expect(handshake(made, { servername: 'example.org' })).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  test('are not trusted by another CA', async () => {
    const [made, other] = [
      await open(),
      await openCertificateStore({ folder: `${folder}2`, serverNames: names, clock: systemClock }),
    ];
    const seen = await handshake({ ...made, admin: other.admin });
    expect(seen.clientAuthorized).toBe(false);
  });

  test('have keys readable only by their owner, and leave no other file', async () => {
    await open();
    const files = (await readdir(folder)).toSorted();
    expect(files).toEqual(['admin.crt', 'admin.key', 'apiserver.crt', 'apiserver.key', 'ca.crt', 'ca.key']);
    const modes = await Promise.all(
      files.filter((name) => name.endsWith('.key')).map(async (name) => (await stat(join(folder, name))).mode & 0o777),
    );
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  test('have the right usages, an expiry and an unambiguous issuer', async () => {
    const { authority, server, admin } = await open();
    const parse = (pem: string) => new X509Certificate(pem);
    expect(parse(authority).ca).toBe(true);
    expect(parse(server.certificate)).toMatchObject({ ca: false, keyUsage: ['1.3.6.1.5.5.7.3.1'] });
    expect(parse(admin.certificate)).toMatchObject({ ca: false, keyUsage: ['1.3.6.1.5.5.7.3.2'] });
    expect(parse(server.certificate).checkIssued(parse(authority))).toBe(true);
  });
});

describe('certificates on later starts', () => {
  test('are the same', async () => {
    const first = await open();
    expect(await open()).toEqual(first);
  });

  test('are renewed before they expire, by the same CA', async () => {
    const first = await open();
    expect(await open(names, 300)).toEqual(first);
    const renewed = await open(names, 400);
    expect(renewed.authority).toBe(first.authority);
    expect(renewed.server.certificate).not.toBe(first.server.certificate);
    expect(renewed.admin.certificate).not.toBe(first.admin.certificate);
    expect(new X509Certificate(renewed.server.certificate).validToDate.getTime()).toBeGreaterThan(
      Date.now() + 1_000 * dayMs,
    );
  });

  test('get a new CA before the old one expires', async () => {
    const first = await open();
    const renewed = await open(names, 3_000);
    expect(renewed.authority).not.toBe(first.authority);
    expect(new X509Certificate(renewed.server.certificate).checkIssued(new X509Certificate(renewed.authority))).toBe(
      true,
    );
  });

  test('are reissued for a new name, except the administrator’s', async () => {
    const first = await open();
    const more = await open({ ...names, ipAddresses: [...names.ipAddresses, '192.0.2.7'] });
    expect(more.admin).toEqual(first.admin);
    expect(new X509Certificate(more.server.certificate).checkIP('192.0.2.7')).toBe('192.0.2.7');
  });

  test('are completed if the first start was interrupted', async () => {
    await open();
    await rm(join(folder, 'apiserver.crt'));
    const seen = await handshake(await open());
    expect(seen.clientAuthorized).toBe(true);
  });

  test('of a CA with a mismatched key are refused', async () => {
    await open();
    await writeFile(join(folder, 'ca.key'), await readFile(join(folder, 'admin.key')));
    await chmod(join(folder, 'ca.key'), 0o600);
    await expect(open()).rejects.toThrow(/do not match/);
  });
});
