import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePolicy } from '../../test/authorization/make-policy.ts';
import { tokens } from '../../test/authorization/policy.ts';
import { packAnswers, recordedQuestions } from '../../test/authorization/recorded-answers.ts';
import { TokenClient } from '../../test/authorization/token-client.ts';
import { EtcdProcess } from '../../test/etcd-process.ts';
import { startReference } from '../../test/reference-server.ts';

// Sends kube-apiserver the requests that test/authorization replays without it, and records the responses.

await using opened = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'binnacle-record-'));
opened.defer(() => rm(folder, { recursive: true, force: true }));
const tokenAuthFile = join(folder, 'tokens.csv');
await writeFile(tokenAuthFile, tokens);
const etcd = opened.use(await EtcdProcess.start());
const reference = opened.use(await startReference(etcd.url, [`--token-auth-file=${tokenAuthFile}`]));
const client = opened.use(new TokenClient(reference.url));
await makePolicy(client);
const packed = await packAnswers(client, recordedQuestions());
writeFileSync(
  new URL('../../test/authorization/testdata/answers.json', import.meta.url),
  `${JSON.stringify(packed)}\n`,
);
