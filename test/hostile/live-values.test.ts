import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf, type Choice } from '../../tools/walk-schemas/cases.ts';
import { withAllVersions } from '../../tools/walk-schemas/starts.ts';
import { WalkedServer } from '../../tools/walk-schemas/walked-server.ts';
import { etcdPath, EtcdProcess } from '../etcd-process.ts';
import { type ReferenceServer, skipWithoutReference, startReference } from '../reference-server.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

/** Other cases than the recorded ones. */
const sampled: Choice = (start) => (value) => hashOf(`${start}${value} live`) % 12_000 === 0;
const flags = [
  '--allow-privileged',
  '--runtime-config=api/all=true',
  '--disable-admission-plugins=ServiceAccount,ResourceQuota',
];

let etcd: EtcdProcess;
let reference: ReferenceServer;
let server: TestServer;

describe.skipIf(skipWithoutReference() || etcdPath === undefined)('with kube-apiserver (skipped without one)', () => {
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    reference = await startReference(etcd.url, flags);
    server = await startTestServer(...withAllVersions);
  });

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await reference?.[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
  });

  test('hostile values get the same responses, and never a server error', async () => {
    using theirs = await WalkedServer.connect(reference);
    using ours = await WalkedServer.connect(server);
    const expected = new Map<string, string>();
    for await (const { key, answer } of theirs.walk(sampled)) expected.set(key, JSON.stringify(answer));
    const different: string[] = [];
    const stumbled: string[] = [];
    for await (const { key, answer } of ours.walk(sampled)) {
      if (answer.message.includes('see the server log')) stumbled.push(key);
      if (JSON.stringify(answer) !== expected.get(key)) different.push(key);
    }
    expect(stumbled).toEqual([]);
    expect(expected.size).toBeGreaterThan(500);
    // Unimplemented features, and rules that are not validated: `known-differences.ts` has samples of them.
    expect(different.length, different.join('\n')).toBeLessThan(expected.size / 50);
  });
});
