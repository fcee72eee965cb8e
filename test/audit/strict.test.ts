import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { builtInWiring } from '../../src/server/wiring.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';

interface EventList {
  readonly kind: string;
  readonly items: readonly { readonly auditID: string; readonly stage: string }[];
}

test('a webhook is sent events, and a request fails where they must not be lost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-audit-'));
  const received: EventList[] = [];
  let isDown = false;
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (!isDown) received.push(JSON.parse(Buffer.concat(chunks).toString()) as EventList);
      response.writeHead(isDown ? 503 : 200).end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo; // listens on TCP
  const [configFile, policyFile] = [join(folder, 'kubeconfig'), join(folder, 'policy')];
  const cluster = `{name: c, cluster: {server: "http://127.0.0.1:${port}/events"}}`;
  await writeFile(
    configFile,
    `clusters: [${cluster}]\ncontexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n`,
  );
  const rules = '[{level: Metadata, nonResourceURLs: [/version]}]';
  await writeFile(policyFile, `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: ${rules}\n`);
  const { webhook, ...others } = configDefaults.audit;
  const audit = {
    ...others,
    policyFile,
    webhook: { ...webhook, configFile, mode: 'blocking-strict', initialBackoffMs: 1 },
  };
  {
    await using server = await startTestServer({}, {}, { config: { audit, logging: { level: 'silent' } } });
    using client = await ApiClient.connect(server);
    const ask = (id: string) => client.exchange('GET', '/version', { headers: { 'audit-id': id } });
    expect((await ask('stored')).code).toBe(200);
    isDown = true;
    const { code, text } = await ask('lost');
    expect([code, text]).toEqual([500, 'Internal Server Error: "/version": failed to store audit event\n']);
    isDown = false;
    const metrics = await client.text('/metrics');
    expect(metrics).toMatch(/^apiserver_audit_requests_rejected_total 1$/m);
    expect(metrics).toMatch(/^apiserver_audit_error_total\{plugin="webhook"\} 1$/m);
    expect(metrics).toMatch(/^apiserver_audit_level_total\{level="Metadata"\} 2$/m);
  }
  const events = received.flatMap(({ items }) => items).map(({ auditID, stage }) => `${auditID} ${stage}`);
  expect(events).toEqual(['stored RequestReceived', 'stored ResponseComplete']);
  expect(received[0]?.kind).toBe('EventList');
  receiver.close();
  await rm(folder, { recursive: true, force: true });
});

test('a bug is a panic', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-audit-'));
  const [path, policyFile] = [join(folder, 'audit.log'), join(folder, 'policy')];
  const rules = '[{level: Metadata, nonResourceURLs: [/version]}]';
  await writeFile(policyFile, `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: ${rules}\n`);
  const audit = { ...configDefaults.audit, policyFile, log: { ...configDefaults.audit.log, path } };
  const bug = {
    name: 'bug',
    make: () => ({
      name: 'bug',
      run: ({ exchange }: { readonly exchange: { readonly path: string } }) => {
        if (exchange.path === '/version') throw new TypeError('a bug');
      },
    }),
  };
  const at = builtInWiring.stages.findIndex(({ name }) => name === 'dispatch');
  const wiring = { ...builtInWiring, stages: builtInWiring.stages.toSpliced(at, 0, bug) };
  {
    await using server = await startTestServer({}, {}, { config: { audit, logging: { level: 'silent' } }, wiring });
    using client = await ApiClient.connect(server);
    expect((await client.exchange('GET', '/version', {})).code).toBe(500);
  }
  const events = (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(events).toMatchObject([
    { stage: 'RequestReceived' },
    { stage: 'Panic', responseStatus: { code: 500, reason: 'InternalError', message: "APIServer panic'd: a bug" } },
  ]);
  await rm(folder, { recursive: true, force: true });
});
