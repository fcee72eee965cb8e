import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonValue } from '../../src/api/json.ts';
import { configDefaults } from '../../src/server/config.ts';
import { EtcdProcess } from '../etcd-process.ts';
import { skipWithoutReference, startReference } from '../reference-server.ts';
import { startTestServer } from '../server-fixture.ts';
import { policy, tokens } from './policy.ts';
import { accessQuestions, attempts } from './questions.ts';
import { type TokenAnswer, TokenClient, type TokenRequest } from './token-client.ts';

const opened = new AsyncDisposableStack();
let reference: TokenClient;
let binnacle: TokenClient;

/** kube-apiserver asks its Node authorizer, too, so nobody here is a node. */
describe.skipIf(skipWithoutReference())('RBAC answers as kube-apiserver does', () => {
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-authorization-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const tokenAuthFile = join(folder, 'tokens.csv');
    writeFileSync(tokenAuthFile, tokens);
    const etcd = opened.use(await EtcdProcess.start());
    const theirs = opened.use(await startReference(etcd.url, [`--token-auth-file=${tokenAuthFile}`]));
    const authentication = { ...configDefaults.authentication, tokenAuthFile };
    const config = { authentication, authorization: { ...configDefaults.authorization, modes: ['RBAC'] } };
    const ours = opened.use(await startTestServer({}, { inMemory: true }, { config }));
    reference = opened.use(new TokenClient(theirs.url));
    binnacle = opened.use(new TokenClient(ours.url));
    for (const client of [reference, binnacle]) await makePolicy(client);
  }, 120_000);

  afterAll(() => opened.disposeAsync());

  test('who may do what', { timeout: 120_000 }, async () => {
    const questions = accessQuestions();
    expect(questions.length).toBeGreaterThan(5_000);
    for (let index = 0; index < questions.length; index += 16) {
      await Promise.all(questions.slice(index, index + 16).map((question) => compare(question)));
    }
  });

  test.each(['tok-ann', 'tok-bob', 'tok-carol', 'tok-root'])('what %s tries', { timeout: 120_000 }, async (token) => {
    for (const attempt of attempts(token)) await compare(attempt);
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
  for (let left = 100; (await client.send({ ...ready, path: '/readyz' })).code !== 200 && left > 0; left -= 1)
    await sleep(50);
}

async function compare(question: TokenRequest): Promise<void> {
  const [theirs, ours] = await Promise.all([reference.send(question), binnacle.send(question)]);
  const what = `${question.method} ${question.path} ${JSON.stringify(question.headers ?? question.body ?? '')}`;
  expect.soft(comparable(ours), `${question.token}: ${what}`).toEqual(comparable(theirs));
}

const volatile: ReadonlySet<string> = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields']);

/** Without what differs from server to server. Of several bindings that allow, the reference names any; rules come in any order. */
function comparable({ code, body }: TokenAnswer): unknown {
  const stable = withoutVolatile(body);
  if (!isJsonObject(stable) || !isJsonObject(stable['status'])) return { code, body: stable };
  const { status } = stable;
  const sorted = (name: string): object => {
    const list = status[name];
    return Array.isArray(list) ? { [name]: list.map((rule) => JSON.stringify(rule)).toSorted() } : {};
  };
  const reason = status['allowed'] === true ? { reason: typeof status['reason'] } : {};
  return {
    code,
    body: { ...stable, status: { ...status, ...reason, ...sorted('resourceRules'), ...sorted('nonResourceRules') } },
  };
}

function withoutVolatile(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutVolatile);
  if (!isJsonObject(value)) return value;
  // Objects that are stored as protobuf have no empty lists.
  const kept = Object.entries(value).filter(
    ([name, each]) => !volatile.has(name) && !(name === 'rules' && isEmpty(each)),
  );
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutVolatile(each)]));
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
