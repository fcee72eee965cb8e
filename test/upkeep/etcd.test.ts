import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../api-client.ts';
import { ServerProcess } from '../durability/server-process.ts';
import { describeWithEtcd, EtcdProcess, etcdPath } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import { contentIn, makeStore } from './stores.ts';
import { configMaps, connectTo, fill, Load, overwrite, run, runHere, versionOf } from './upkeep-server.ts';

describeWithEtcd('a server on an etcd of three members', () => {
  let root: string;
  let dataDir: string;
  let members: EtcdProcess[];
  let server: ServerProcess;
  let client: ApiClient;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'binnacle-upkeep-etcd-'));
    dataDir = join(root, 'data');
    members = await EtcdProcess.startCluster(3);
    const port = await freePort();
    const servers = `--etcd-servers=${members.map(({ url }) => url).join(',')}`;
    server = await ServerProcess.start(dataDir, port, [servers, '--etcd-compaction-interval=0', '-v=2']);
    client = await connectTo(dataDir, port);
  });
  afterAll(async () => {
    client?.[Symbol.dispose]();
    await server?.kill();
    await Promise.all((members ?? []).map((member) => member[Symbol.asyncDispose]()));
    await rm(root, { recursive: true });
  });

  test('compacts and defragments while clients write and watch', { timeout: 120_000 }, async () => {
    const first = await overwrite(client, 'first', 2);
    await fill(client, 'filling', 50);
    const load = await Load.start(client, 'busy');
    const compacted = await run(['compact', '--data-dir', dataDir, '--keep=10']);
    const defragmented = await run(['defrag', '--data-dir', dataDir]);
    await load.stop();
    expect(compacted).toMatchObject({ code: 0, stderr: '' });
    const oldest = Number(/^compacted; the oldest readable revision is (\d+)\n$/.exec(compacted.stdout)?.[1]);
    expect(oldest).toBeGreaterThan(first);
    expect(defragmented).toMatchObject({ code: 0, stderr: '' });
    const sizes = /^defragmented; (\d+) bytes before, (\d+) bytes after\n$/.exec(defragmented.stdout);
    // Of all members.
    expect(Number(sizes?.[2])).toBeLessThan(Number(sizes?.[1]) - 3 * 2_000_000);
    const read = await client.send('GET', `${configMaps}?resourceVersion=${first}&resourceVersionMatch=Exact`);
    expect(read).toMatchObject({ code: 410, body: { reason: 'Expired' } });
  });

  test('logs what was done, and for whom', () => {
    const lines = server.log.split('\n').flatMap((line) => /\] ("Maintenance.*)$/.exec(line)?.[1] ?? []);
    expect(lines).toEqual([
      expect.stringMatching(/^"Maintenance of the store has begun" work="compact" user="\S+"$/),
      expect.stringMatching(/^"Maintenance of the store has ended" work="compact" revision=\d+ user="\S+"$/),
      expect.stringMatching(/^"Maintenance of the store has begun" work="defrag" user="\S+"$/),
      expect.stringMatching(/^"Maintenance of the store has ended" work="defrag" beforeBytes=\d+ afterBytes=\d+ user/),
    ]);
  });

  test('refuses revisions that cannot be compacted', async () => {
    const again = await run(['compact', '--data-dir', dataDir, '--revision=2']);
    expect(again.stderr).toMatch(/^binnacle: the server at https:\S+ answered 410: /);
    const future = await run(['compact', '--data-dir', dataDir, '--revision=999999999']);
    expect(future.stderr).toMatch(/ answered 400: .*future revision/);
  });

  test('a member that is down is named, and the others are compacted, but not defragmented', async () => {
    const [member] = members;
    await member?.kill();
    expect(await run(['compact', '--data-dir', dataDir])).toMatchObject({ code: 0 });
    const { code, stderr } = await run(['defrag', '--data-dir', dataDir]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${member?.url} cannot be reached, and no member is defragmented meanwhile: `);
    await member?.run();
    await expect
      .poll(async () => (await run(['defrag', '--data-dir', dataDir])).code, { timeout: 20_000, interval: 500 })
      .toBe(0);
  });
});

describeWithEtcd('an embedded store in the data directory of a server on etcd', () => {
  test('is not touched by what is asked of the server', { timeout: 120_000 }, async () => {
    const root = await mkdtemp(join(tmpdir(), 'binnacle-idle-'));
    const dataDir = join(root, 'data');
    await makeStore(dataDir, 3);
    const content = await contentIn(dataDir);
    const status = async (file: string): Promise<string> => (await runHere('snapshot', 'status', file)).stdout;
    const [before, after] = [join(root, 'before'), join(root, 'after')];
    expect(await runHere('snapshot', 'save', before, '--data-dir', dataDir)).toMatchObject({ code: 0 });
    await using etcd = await EtcdProcess.start();
    const port = await freePort();
    const server = await ServerProcess.start(dataDir, port, [`--etcd-servers=${etcd.url}`]);
    {
      using client = await connectTo(dataDir, port);
      const last = await overwrite(client, 'written', 20);
      const { stdout } = await run(['compact', '--data-dir', dataDir]);
      expect(Number(/revision is (\d+)\n$/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(last);
    }
    expect(await run(['defrag', '--data-dir', dataDir])).toMatchObject({ code: 0 });
    const saved = await run(['snapshot', 'save', after, '--data-dir', dataDir]);
    expect(saved.code).toBe(1);
    expect(saved.stderr).toMatch(/answered 409: the store of this server is not the embedded one: run `etcdctl/);
    expect((await run(['upgrade-store', '--data-dir', dataDir])).stderr).toContain('stop the server first');
    server.signal('SIGTERM');
    expect(await server.ended()).toBe(0);
    expect(await contentIn(dataDir)).toEqual(content);
    expect(await runHere('snapshot', 'save', after, '--data-dir', dataDir)).toMatchObject({ code: 0 });
    expect(await status(after)).toBe(await status(before));
    await rm(root, { recursive: true });
  });
});

describeWithEtcd('the data directory of a server that runs on etcd', () => {
  test('is not restored to, nor to another one that answers at its address', { timeout: 120_000 }, async () => {
    const root = await mkdtemp(join(tmpdir(), 'binnacle-restored-'));
    const [source, dataDir, file] = ['source', 'data', 'saved'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    await makeStore(source, 3);
    expect(await runHere('snapshot', 'save', file, '--data-dir', source)).toMatchObject({ code: 0 });
    await using etcd = await EtcdProcess.start();
    const port = await freePort();
    const server = await ServerProcess.start(dataDir, port, [`--etcd-servers=${etcd.url}`]);
    const restore = ['snapshot', 'restore', file, '--data-dir', dataDir];
    const refused = await runHere(...restore);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    const refusal = `the server at https://127.0.0.1:${port}/ runs on ${dataDir}: stop it first, or restore to another data`;
    expect(refused.stderr).toContain(refusal);
    expect(await readdir(dataDir)).not.toContain('storage');
    server.signal('SIGTERM');
    expect(await server.ended()).toBe(0);
    // Another server has the port now.
    const other = await ServerProcess.start(join(root, 'other'), port);
    expect(await runHere(...restore)).toMatchObject({ code: 0 });
    await other.kill();
    await rm(root, { recursive: true });
  });
});

describeWithEtcd('a server on etcd that is killed while it is asked for upkeep', () => {
  test('leaves what a later one ends, and the command says what happened', { timeout: 240_000 }, async () => {
    const root = await mkdtemp(join(tmpdir(), 'binnacle-killed-upkeep-'));
    const dataDir = join(root, 'data');
    await using etcd = await EtcdProcess.start();
    const port = await freePort();
    const start = (): Promise<ServerProcess> =>
      ServerProcess.start(dataDir, port, [`--etcd-servers=${etcd.url}`, '--etcd-compaction-interval=0', '-v=2']);
    let server = await start();
    for (const [turn, command] of ['compact', 'defrag', 'compact', 'defrag'].entries()) {
      let last: number;
      {
        using client = await connectTo(dataDir, port);
        last = await overwrite(client, `turn-${turn}`, 30);
      }
      const running = run([command, '--data-dir', dataDir]);
      await server.seen('has begun');
      await server.kill();
      const { code, stderr } = await running;
      // It may have been answered just before.
      if (code !== 0) {
        expect(stderr).toMatch(/^binnacle: .*(?:cannot be reached|was interrupted): [^\n]+\n$/);
      }
      server = await start();
      expect(await run([command, '--data-dir', dataDir])).toMatchObject({ code: 0, stderr: '' });
      using client = await connectTo(dataDir, port);
      expect(versionOf((await client.send('GET', `${configMaps}/turn-${turn}`)).body)).toBe(last);
      // The command may be killed as well: the server goes on.
      await run([command, '--data-dir', dataDir], 50 + turn * 60);
      expect(await run([command, '--data-dir', dataDir])).toMatchObject({ code: 0, stderr: '' });
    }
    await server.kill();
    await rm(root, { recursive: true });
  });
});

describeWithEtcd('an etcd without space', () => {
  test('takes writes again once it is compacted and defragmented, and its alarm disarmed', async () => {
    const root = await mkdtemp(join(tmpdir(), 'binnacle-nospace-'));
    const dataDir = join(root, 'data');
    await using etcd = await EtcdProcess.start({ args: ['--quota-backend-bytes=8000000'] });
    const port = await freePort();
    const flags = [`--etcd-servers=${etcd.url}`, '--etcd-compaction-interval=0'];
    const server = await ServerProcess.start(dataDir, port, flags);
    {
      using client = await connectTo(dataDir, port);
      const write = (turn: number): ReturnType<ApiClient['send']> =>
        client.send('POST', configMaps, {
          body: { metadata: { name: `large-${turn}` }, data: { text: 'x'.repeat(500_000) } },
        });
      const remove = (turn: number): ReturnType<ApiClient['send']> =>
        client.send('DELETE', `${configMaps}/large-${turn}`);
      let turn = 0;
      for (; (await write(turn)).code === 201; turn += 1) expect((await remove(turn)).code).toBe(200);
      expect(await run(['compact', '--data-dir', dataDir])).toMatchObject({ code: 0 });
      expect(await run(['defrag', '--data-dir', dataDir])).toMatchObject({ code: 0 });
      expect((await write(turn)).body).toMatchObject({ message: 'etcdserver: mvcc: database space exceeded' });
      execFileSync(join(dirname(etcdPath ?? ''), 'etcdctl'), ['--endpoints', etcd.url, 'alarm', 'disarm']);
      expect((await write(turn)).code).toBe(201);
    }
    await server.kill();
    await rm(root, { recursive: true });
  }, 60_000);
});
