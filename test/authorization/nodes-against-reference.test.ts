import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/api/meta/object.ts';
import { configDefaults } from '../../src/server/config.ts';
import { skipWithoutReference } from '../reference-server.ts';
import { compare, type Servers } from './comparison.ts';
import { nodeAttempts, nodeQuestions, nodeTokens, nodeWorld } from './node-questions.ts';
import { bootstrapped, startServers } from './servers.ts';
import type { TokenClient } from './token-client.ts';

const opened = new AsyncDisposableStack();
let servers: Servers;

describe.skipIf(skipWithoutReference())('kubelets get the same responses as from kube-apiserver', () => {
  beforeAll(async () => {
    const config = {
      authorization: { ...configDefaults.authorization, modes: ['Node', 'RBAC'] },
      admission: {
        ...configDefaults.admission,
        enablePlugins: ['NodeRestriction'],
        disablePlugins: ['ServiceAccount'],
      },
    };
    const flags = ['--enable-admission-plugins=NodeRestriction'];
    servers = await startServers(opened, { tokens: nodeTokens, flags, config });
    for (const client of [servers.reference, servers.binnacle]) await makeWorld(client);
  }, 120_000);

  afterAll(() => opened.disposeAsync());

  test('what nodes may do', { timeout: 120_000 }, async () => {
    const questions = nodeQuestions();
    expect(questions.length).toBeGreaterThan(4_000);
    for (let index = 0; index < questions.length; index += 16) {
      await Promise.all(questions.slice(index, index + 16).map((question) => compare(servers, question)));
    }
  });

  test.each(['tok-one', 'tok-two', 'tok-nobody', 'tok-alone'])('what %s tries', { timeout: 60_000 }, async (token) => {
    const { reference, binnacle } = servers;
    const theirs = nodeAttempts(token, await uidsOf(reference));
    const ours = nodeAttempts(token, await uidsOf(binnacle));
    for (const [index, attempt] of theirs.entries()) await compare(servers, attempt, ours[index]);
  });
});

/** Until the graph has everything, as the last object shows. */
async function makeWorld(client: TokenClient): Promise<void> {
  await bootstrapped(client);
  for (const [path, body] of nodeWorld) {
    const { code } = await client.send({ method: 'POST', path, token: 'tok-root', body });
    expect([201, 409], path).toContain(code);
  }
  const known = { method: 'GET', path: '/apis/resource.k8s.io/v1/resourceslices/slice', token: 'tok-one' };
  for (let left = 100; (await client.send(known)).code !== 200 && left > 0; left -= 1) await sleep(50);
}

async function uidsOf(client: TokenClient): Promise<{ readonly node: string; readonly pod: string }> {
  const uid = async (path: string): Promise<string> => {
    const { body } = await client.send({ method: 'GET', path, token: 'tok-root' });
    // It is there, and an object.
    return (body as unknown as KubernetesObject).metadata.uid ?? '';
  };
  return { node: await uid('/api/v1/nodes/one'), pod: await uid('/api/v1/namespaces/team/pods/a') };
}
