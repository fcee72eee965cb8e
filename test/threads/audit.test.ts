import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

interface Event {
  readonly auditID: string;
  readonly stage: string;
  readonly requestObject?: unknown;
}

interface Audited extends AsyncDisposable {
  readonly server: TestServer;
  /** One connection each, so that all threads are asked. */
  readonly clients: readonly ApiClient[];
  /** What the file has at the moment. */
  events(): Promise<readonly Event[]>;
}

const configMaps = '/api/v1/namespaces/default/configmaps';

/** Three threads; requests that change config maps are audited with their bodies. */
async function startAudited(mode: string, path?: string): Promise<Audited> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-audit-'));
  const [policyFile, file] = [join(folder, 'policy'), path ?? join(folder, 'audit.log')];
  const rules = "[{level: Request, verbs: [create], resources: [{group: '', resources: [configmaps]}]}]";
  await writeFile(policyFile, `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: ${rules}\n`);
  const batch = { ...configDefaults.audit.log.batch, maxSize: 1_000, maxWaitMs: 3_600_000 };
  const log = { ...configDefaults.audit.log, path: file, mode, batch };
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, apiThreads: 3 };
  const audit = { ...configDefaults.audit, policyFile, log };
  const config = { audit, serving, logging: { level: 'silent' as const } };
  const server = await startTestServer({}, { inMemory: true }, { config });
  const clients = await Promise.all(Array.from({ length: 9 }, () => ApiClient.connect(server)));
  return {
    server,
    clients,
    async events() {
      const lines = (await readFile(file, 'utf8')).split('\n');
      return lines.slice(0, -1).map((line) => JSON.parse(line) as Event);
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const made = (client: ApiClient, name: string) =>
  client.exchange('POST', configMaps, { body: { metadata: { name }, data: { name } }, headers: { 'audit-id': name } });

test('a request has been written by the first thread before it is served', { timeout: 180_000 }, async () => {
  await using audited = await startAudited('blocking');
  for (const [at, client] of audited.clients.entries()) {
    expect((await made(client, `one-${at}`)).code).toBe(201);
    const received = (await audited.events()).filter(({ stage }) => stage === 'RequestReceived');
    expect(received.map(({ auditID }) => auditID)).toContain(`one-${at}`);
  }
  const many = audited.clients.flatMap((client, at) =>
    Array.from({ length: 20 }, (_, index) => made(client, `many-${at}-${index}`)),
  );
  await Promise.all(many);
  const received = (await audited.events()).filter(({ stage }) => stage === 'RequestReceived');
  expect(new Set(received.map(({ auditID }) => auditID)).size).toBe(9 * 21);
  const metrics = (await audited.clients[0]?.text('/metrics')) ?? '';
  expect(metrics).toMatch(/^apiserver_audit_level_total\{level="Request"\} 189$/m);
});

test('what waits for a batch is written when the server stops, whole', { timeout: 180_000 }, async () => {
  const audited = await startAudited('batch');
  await Promise.all(audited.clients.map((client, at) => made(client, `one-${at}`)));
  expect(await audited.events()).toEqual([]);
  const names = audited.clients.map((_, at) => `one-${at}`);
  // Before its folder is removed.
  const stopped = audited.server.restart();
  await stopped;
  const events = await audited.events();
  const complete = events.filter(({ stage }) => stage === 'ResponseComplete');
  expect(complete.map(({ auditID }) => auditID).toSorted()).toEqual(names);
  for (const { auditID, requestObject } of complete) expect(requestObject).toMatchObject({ data: { name: auditID } });
  await audited[Symbol.asyncDispose]();
});

test('where no event may be lost, requests of every thread fail without it', { timeout: 180_000 }, async () => {
  await using audited = await startAudited('blocking-strict', '/dev/full');
  const answers = await Promise.all(audited.clients.map((client, at) => made(client, `lost-${at}`)));
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 500));
  const metrics = (await audited.clients[0]?.text('/metrics')) ?? '';
  expect(metrics).toMatch(/^apiserver_audit_requests_rejected_total 9$/m);
});
