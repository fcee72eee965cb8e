import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiClient } from '../../api-client.ts';
import { asAlone, startTestServer } from '../../server-fixture.ts';
import { readFields } from '../recording.ts';
import { playFailures, plays, sockets } from './play-failures.ts';

test.each(Object.entries(plays))('%s are told in the words of kube-apiserver, and counted', async (name, play) => {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-egress-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const configFile = join(folder, 'egress.json');
  await writeFile(configFile, play.file(folder));
  opened.use(await play.start(join(folder, sockets.bad)));
  const config = { ...asAlone, egress: { configFile }, logging: { level: 'silent' } as const };
  const server = opened.use(await startTestServer({}, { inMemory: true }, { config }));
  const client = opened.use(await ApiClient.connect(server));
  expect(await playFailures(client, play, folder)).toEqual(readFields('egress', name));
  const protocol = name === 'grpc-failures' ? 'grpc' : 'http_connect';
  const metrics = (await client.text('/metrics')).split('\n');
  const count = (metric: string, stage = ''): number => {
    const series = `apiserver_egress_dialer_dial_${metric}{protocol="${protocol}"${stage},transport="uds"}`;
    return Number(metrics.find((line) => line.startsWith(series))?.split(' ')[1] ?? 0);
  };
  const names = Object.keys(play.webhooks);
  expect(count('start_total')).toBe(names.length);
  expect(count('failure_count', ',stage="connect"')).toBe(names.includes('away') ? 1 : 0);
  // The silent one has not failed yet.
  const failed = count('failure_count', ',stage="proxy"') + count('duration_seconds_count');
  expect(failed).toBe(names.filter((each) => each !== 'away' && each !== 'silent').length);
});
