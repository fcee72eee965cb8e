import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePolicy } from '../../authorization/make-policy.ts';
import { tokens } from '../../authorization/policy.ts';
import { answersTo, recordedQuestions, writeRecordedResponses } from './questions-with-answers.ts';
import { TokenClient } from '../../authorization/token-client.ts';
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';

// Sends kube-apiserver the requests that `authorization.test.ts` replays, and records the responses.

await using opened = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'binnacle-record-'));
opened.defer(() => rm(folder, { recursive: true, force: true }));
const tokenAuthFile = join(folder, 'tokens.csv');
await writeFile(tokenAuthFile, tokens);
const etcd = opened.use(await EtcdProcess.start());
const reference = opened.use(await startReference(etcd.url, [`--token-auth-file=${tokenAuthFile}`]));
const client = opened.use(new TokenClient(reference.url));
await makePolicy(client);
writeRecordedResponses(await answersTo(client, recordedQuestions()));
