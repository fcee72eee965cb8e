import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { skipWithoutReference } from '../reference-server.ts';
import { compare, type Servers } from './comparison.ts';
import { makePolicy } from './make-policy.ts';
import { tokens } from './policy.ts';
import { accessQuestions, attempts } from './questions.ts';
import { startServers } from './servers.ts';

const opened = new AsyncDisposableStack();
let servers: Servers;

/** kube-apiserver also runs the Node authorizer, so no user here is a node. */
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
