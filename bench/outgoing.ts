import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { alternate, costOf, figuresOf, settledAfter, type Turn } from './alternation.ts';
import { binnacle } from './binnacle.ts';
import type { OutgoingServer } from './outgoing-server.ts';
import type { TargetReport } from './report.ts';
import type { Figure } from './rows/row.ts';
import { Session } from './session.ts';
import type { Target } from './target.ts';

const turns = 50;
const concurrency = 16;
const protocols = ['http1', 'http2'] as const;
const namespaces = '/api/v1/namespaces';

/** A server with others that it calls: requests to them are jobs. */
export interface Calling extends AsyncDisposable {
  readonly session: Session;
  send(job: OutgoingJob, count: number): Promise<void>;
}

export type OutgoingJob = 'proxied http1' | 'proxied http2' | 'created' | 'reviewed';

/**
 * The CPU time of the server for a GET that an aggregated server answers, over HTTP/1.1 and HTTP/2, and what a webhook
 * adds to a create: medians of turns.
 */
export async function measureOutgoing(nodeArguments: readonly string[]): Promise<TargetReport> {
  await using calling = await startCalling((flags) => binnacle(nodeArguments, flags));
  const figures: Figure[] = [];
  const turnOf = (job: OutgoingJob): Turn => ({
    pids: calling.session.target.pids,
    send: (count) => calling.send(job, count),
  });
  for (const protocol of protocols) {
    const { mainUs, othersUs } = await costOf(turnOf(`proxied ${protocol}`), { warmUp: settledAfter, turns });
    const name = `get from an aggregated server over ${protocol === 'http1' ? 'HTTP/1.1' : 'HTTP/2'}`;
    figures.push({ name: `${name}, main thread`, unit: 'us', value: mainUs });
    figures.push({ name: `${name}, other threads`, unit: 'us', value: othersUs });
  }
  const creates = { without: turnOf('created'), added: turnOf('reviewed') };
  const names = { base: 'create of a ConfigMap', added: 'added by a webhook that reviews it' };
  figures.push(...figuresOf(names, await alternate(creates, { warmUp: settledAfter / 4, pairs: turns })));
  return { target: 'Binnacle', figures };
}

/** `target`: with these flags. */
export async function startCalling(target: (flags: readonly string[]) => Target): Promise<Calling> {
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  const called = fork(join(import.meta.dirname, 'outgoing-server.ts'), { execArgv: [] });
  // Its only message.
  const [{ authority, ports }] = (await once(called, 'message')) as [OutgoingServer];
  const addresses = protocols.map((protocol) => `${protocol}.bench=127.0.0.1:${ports[protocol]}`);
  const session = new Session(await target([`--service-addresses=${addresses.join(',')}`]).start(dataDir), 0);
  await prepare(session, authority);
  let made = 0;
  return {
    session,
    async send(job, count) {
      await session.load({ kind: 'requests', ...requestOf(job), from: made, count, names: 1, concurrency });
      made += count;
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      called.disconnect();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function requestOf(job: OutgoingJob): { readonly method: string; readonly path: string; readonly body?: string } {
  if (job === 'created' || job === 'reviewed') {
    const body = JSON.stringify({ metadata: { name: 'bench-{number}' }, data: { a: 'b' } });
    return { method: 'POST', path: `${namespaces}/${job}/configmaps`, body };
  }
  return { method: 'GET', path: `/apis/${job.slice('proxied '.length)}.bench/v1/namespaces/default/things/{name}` };
}

async function prepare(session: Session, authority: string): Promise<void> {
  const caBundle = Buffer.from(authority).toString('base64');
  const make = (path: string, body: object): Promise<unknown> =>
    session.requests({ method: 'POST', path, body: JSON.stringify(body), from: 0, count: 1, names: 1, concurrency: 1 });
  await session.namespaceExists();
  for (const name of ['bench', 'created', 'reviewed']) await make(namespaces, { metadata: { name } });
  for (const protocol of protocols) {
    const spec = { type: 'ExternalName', externalName: 'localhost', ports: [{ port: 443 }] };
    await make(`${namespaces}/bench/services`, { metadata: { name: protocol }, spec });
    const service = { namespace: 'bench', name: protocol };
    const served = { group: `${protocol}.bench`, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 10 };
    await make('/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: `v1.${protocol}.bench` },
      spec: { ...served, caBundle, service },
    });
  }
  await make('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'bench' },
    webhooks: [
      {
        name: 'bench.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { caBundle, service: { namespace: 'bench', name: 'http1', path: '/review' } },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'reviewed' } },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      },
    ],
  });
  for (const protocol of protocols) await served(session, `/apis/${protocol}.bench/v1`);
}

/** Resolves when a path is served. */
async function served(session: Session, path: string): Promise<void> {
  const one = { kind: 'requests', method: 'GET', path, from: 0, count: 1, names: 1, concurrency: 1 } as const;
  for (let tries = 0; ; tries += 1) {
    try {
      await session.load(one);
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
  }
}
