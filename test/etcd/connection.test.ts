import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/api/time/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import { StorageError } from '../../src/storage/contract.ts';
import { openEtcdStorage } from '../../src/storage/etcd/engine.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';

const shortly = { connectMs: 1500, readMs: 20_000, writeMs: 20_000 };

/** The error of opening. */
async function refusal(pending: Promise<AsyncDisposable>): Promise<StorageError> {
  try {
    await using storage = await pending;
    return new StorageError('unavailable', `opened ${typeof storage}`);
  } catch (error) {
    if (error instanceof StorageError) return error;
    throw error;
  }
}

describeWithEtcd('TLS and client certificates', () => {
  let root: string;
  let etcd: EtcdProcess;
  let files: Readonly<Record<'ca' | 'cert' | 'key' | 'otherCa', string>>;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'binnacle-etcd-tls-'));
    const serverNames = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
    const make = (folder: string) =>
      openCertificateStore({ folder: join(root, folder), serverNames, clock: systemClock });
    const [own, other] = await Promise.all([make('own'), make('other')]);
    const write = async (name: string, text: string): Promise<string> => {
      await writeFile(join(root, name), text);
      return join(root, name);
    };
    files = {
      ca: await write('ca.crt', own.authority),
      cert: await write('client.crt', own.admin.certificate),
      key: await write('client.key', own.admin.key),
      otherCa: await write('other-ca.crt', other.authority),
    };
    const [certFile, keyFile] = [
      await write('server.crt', own.server.certificate),
      await write('server.key', own.server.key),
    ];
    etcd = await EtcdProcess.start({ tls: { caFile: files.ca, certFile, keyFile } });
  });

  afterAll(async () => {
    await etcd?.[Symbol.asyncDispose]();
    await rm(root, { recursive: true });
  });

  test('with certificate and CA everything works', async () => {
    await using storage = await openEtcdStorage({
      servers: [etcd.url],
      caFile: files.ca,
      certFile: files.cert,
      keyFile: files.key,
    });
    const written = await storage.put({ key: '/a', value: Buffer.from('1'), expectedModRevision: 0 });
    expect((await storage.get('/a')).kv?.modRevision).toBe(written.revision);
  });

  test('addresses without a scheme use TLS when there are files for it', async () => {
    const servers = [etcd.url.replace('https://', '')];
    await using storage = await openEtcdStorage({
      servers,
      caFile: files.ca,
      certFile: files.cert,
      keyFile: files.key,
    });
    await storage.check();
  });

  test('without a certificate, or with another CA, nothing does', async () => {
    const without = await refusal(openEtcdStorage({ servers: [etcd.url], caFile: files.ca, timeouts: shortly }));
    expect(without.message).toContain(`etcd cannot be reached (${etcd.url}: `);
    const stranger = await refusal(
      openEtcdStorage({
        servers: [etcd.url],
        caFile: files.otherCa,
        certFile: files.cert,
        keyFile: files.key,
        timeouts: shortly,
      }),
    );
    expect(stranger.code).toBe('timeout');
    expect(stranger.message).toMatch(/certificate/);
  });

  test('missing files are named', async () => {
    const missing = openEtcdStorage({ servers: [etcd.url], caFile: join(root, 'absent') });
    await expect(missing).rejects.toThrow(/ENOENT.*absent/);
  });
});

describeWithEtcd('several endpoints', () => {
  let members: EtcdProcess[];
  beforeAll(async () => {
    members = await EtcdProcess.startCluster(3);
  });
  afterAll(() => Promise.all(members.map((member) => member[Symbol.asyncDispose]())));

  test('while members fail one after the other, writes continue, watches miss and repeat nothing, and everything can be read', async () => {
    const timeouts = { ...shortly, connectMs: 20_000 };
    await using storage = await openEtcdStorage({ servers: members.map(({ url }) => url), timeouts });
    const seen: string[] = [];
    const watch = storage.watch(
      { start: '/n/', end: '/n0', afterRevision: await storage.currentRevision() },
      {
        events: (events) => seen.push(...events.map(({ key }) => key)),
        progress: () => undefined,
        failed: () => seen.push('failed'),
      },
    );
    const written: string[] = [];
    let writing = true;
    const writer = (async () => {
      for (let turn = 0; writing; turn++) {
        const key = `/n/${String(turn).padStart(5, '0')}`;
        const result = await storage
          .put({ key, value: Buffer.from('x'), expectedModRevision: 0 })
          .catch((error: unknown) => error);
        // In doubt: the watch will show.
        if (!(result instanceof StorageError)) written.push(key);
        else expect(['unknown', 'timeout', 'unavailable']).toContain(result.code);
        await sleep(5);
      }
    })();
    for (const member of members) {
      const before = written.length;
      await member.kill();
      await expect.poll(() => written.length, { timeout: 20_000 }).toBeGreaterThan(before + 20);
      await member.run();
      await sleep(500);
    }
    writing = false;
    await writer;
    const { kvs } = await storage.range({ start: '/n/', end: '/n0' });
    const stored = kvs.map(({ key }) => key);
    await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(stored.length);
    expect(seen).toEqual(stored);
    expect(written.filter((key) => !stored.includes(key))).toEqual([]);
    watch.cancel();
  });

  test('a missing one does not matter; each is health-checked', async () => {
    const absent = `http://127.0.0.1:${await freePort()}`;
    await using storage = await openEtcdStorage({ servers: [absent, members[0]!.url], timeouts: shortly });
    for (let turn = 0; turn < 5; turn++) await storage.check();
    expect(storage.cluster.names).toEqual([absent, members[0]!.url]);
    await storage.checkMember(members[0]!.url);
    await expect(storage.checkMember(absent)).rejects.toThrow('ECONNREFUSED');
  });

  test('if all are missing the start fails with the attempts', async () => {
    const absent = `http://127.0.0.1:${await freePort()}`;
    const error = await refusal(openEtcdStorage({ servers: [absent], timeouts: { connectMs: 300 } }));
    expect(error).toMatchObject({ code: 'timeout' });
    expect(error.message).toMatch(/^etcd cannot be reached \(http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/);
  });

  test('an invalid address is refused', async () => {
    const error = await refusal(openEtcdStorage({ servers: ['ftp://a:1'] }));
    expect(error.message).toBe('"ftp://a:1" is not the address of an etcd server such as http://127.0.0.1:2379');
  });
});
