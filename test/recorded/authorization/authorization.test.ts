import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configDefaults } from '../../../src/server/config.ts';
import { startTestServer } from '../../server-fixture.ts';
import { makePolicy } from '../../authorization/make-policy.ts';
import { tokens } from '../../authorization/policy.ts';
import { answersTo, readRecordedResponses, recordedQuestions } from './questions-with-answers.ts';
import { TokenClient } from '../../authorization/token-client.ts';

const recorded = readRecordedResponses();

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
  expect(questions.length).toBe(recorded.size);
  const answers = await answersTo(client, questions);
  for (const [index, { method, path, headers, body }] of questions.entries()) {
    const what = `${method} ${path} ${JSON.stringify(headers ?? body)}`;
    expect.soft(answers[index], what).toBe(recorded.get(String(index)));
  }
});
