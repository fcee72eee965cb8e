import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { settleMs } from '../clients/behind-cuts.ts';
import { clientGo } from '../clients/client-go.ts';
import { clientNode } from '../clients/client-node.ts';
import { kubectlWatch } from '../clients/kubectl-watch.ts';
import { runComingAndGoing } from './coming-and-going.ts';

/**
 * Informers and writers go on while threads begin and end. `BINNACLE_THREAD_SECONDS=600 npm test --
 * test/threads/coming-and-going` does this for ten minutes; `BINNACLE_SEED` repeats the writes.
 */
const seconds = Number(process.env['BINNACLE_THREAD_SECONDS'] ?? '15');
const seed = Number(process.env['BINNACLE_SEED'] ?? Date.now() % 2 ** 31);

const folder = await mkdtemp(join(tmpdir(), 'binnacle-threads-'));
const informer = await clientGo("client-go's informer", 'application/vnd.kubernetes.protobuf');
const clients = [informer, clientNode, kubectlWatch].filter((client) => client.missing() === undefined);

afterAll(async () => {
  await informer[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const timeout = 10 * seconds * 1_000 + settleMs + 600_000;

test(`nothing is lost while threads come and go (seed ${seed})`, { timeout }, async () => {
  await Promise.all(clients.map((client) => client.prepare()));
  const { result, log, ...figures } = await runComingAndGoing({ clients, folder, seconds, seed });
  console.log(`${seconds * 500} writes in ${result.durationMs} ms, ${result.cuts} cuts: ${JSON.stringify(figures)}`);
  expect(log).toBe('');
  expect(figures.mostAtOnce).toBeGreaterThan(0);
  for (const [client, report] of result.reports) {
    if (report instanceof Error) throw report;
    expect(report.problems, client.name).toEqual([]);
    expect(report.objects, client.name).toEqual(result.state);
  }
  expect(result.reports.size).toBe(clients.length);
});
