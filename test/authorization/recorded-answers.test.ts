import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { startTestServer } from '../server-fixture.ts';
import { makePolicy } from './make-policy.ts';
import { tokens } from './policy.ts';
import { packAnswers, type PackedAnswers, recordedQuestions } from './recorded-answers.ts';
import { TokenClient } from './token-client.ts';

const recorded = JSON.parse(readFileSync(new URL('testdata/answers.json', import.meta.url), 'utf8')) as PackedAnswers;

/** Recorded by tools/record-authorization. */
test('requests get the responses recorded from kube-apiserver 1.37.1', { timeout: 120_000 }, async () => {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-answers-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const tokenAuthFile = join(folder, 'tokens.csv');
  writeFileSync(tokenAuthFile, tokens);
  const config = {
    authentication: { ...configDefaults.authentication, tokenAuthFile },
    authorization: { ...configDefaults.authorization, modes: ['Node', 'RBAC'] },
  };
  const server = opened.use(await startTestServer({}, { inMemory: true }, { config: { ...config, controllers: [] } }));
  const client = opened.use(new TokenClient(server.url));
  await makePolicy(client);
  const questions = recordedQuestions();
  expect(questions.length).toBe(recorded.answers.length);
  const { texts, answers } = await packAnswers(client, questions);
  for (const [index, { method, path, headers, body }] of questions.entries()) {
    const what = `${method} ${path} ${JSON.stringify(headers ?? body)}`;
    expect.soft(texts[answers[index] ?? 0], what).toBe(recorded.texts[recorded.answers[index] ?? 0]);
  }
});
