import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { skipWithoutReference } from '../reference-server.ts';
import { compare, type Servers } from './comparison.ts';
import { policy, tokens } from './policy.ts';
import { accessQuestions, attempts } from './questions.ts';
import { bootstrapped, startServers } from './servers.ts';
import type { TokenClient } from './token-client.ts';

const opened = new AsyncDisposableStack();
let servers: Servers;

/** kube-apiserver asks its Node authorizer, too, so nobody here is a node. */
describe.skipIf(skipWithoutReference())('RBAC answers as kube-apiserver does', () => {
  beforeAll(async () => {
    const authorization = { ...configDefaults.authorization, modes: ['RBAC'] };
    servers = await startServers(opened, { tokens, config: { authorization } });
    for (const client of [servers.reference, servers.binnacle]) await makePolicy(client);
  }, 120_000);

  afterAll(() => opened.disposeAsync());

  test('who may do what', { timeout: 120_000 }, async () => {
    const questions = accessQuestions();
    expect(questions.length).toBeGreaterThan(5_000);
    for (let index = 0; index < questions.length; index += 16) {
      await Promise.all(questions.slice(index, index + 16).map((question) => compare(servers, question)));
    }
  });

  test.each(['tok-ann', 'tok-bob', 'tok-carol', 'tok-root'])('what %s tries', { timeout: 120_000 }, async (token) => {
    for (const attempt of attempts(token)) await compare(servers, attempt);
  });
});

async function makePolicy(client: TokenClient): Promise<void> {
  for (const [path, body] of policy) {
    const { code } = await client.send({ method: 'POST', path, token: 'tok-root', body });
    expect(code, path).toBe(201);
  }
  // The last binding is followed when bob, by his group, may use it; bootstrapping has ended then, too.
  const ready = { method: 'GET', path: '/api/v1/namespaces/team/configmaps/a', token: 'tok-bob' };
  for (let left = 100; (await client.send(ready)).code === 403 && left > 0; left -= 1) await sleep(50);
  await bootstrapped(client);
}
