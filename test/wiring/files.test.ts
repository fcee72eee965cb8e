import { rename, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { request } from 'node:https';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateKeyPair, issueCertificate, type KeyPair } from '../../src/codec/x509/issue-certificate.ts';
import { configDefaults } from '../../src/server/config.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

interface Authority extends KeyPair {
  readonly commonName: string;
  readonly pem: string;
}

const validity = { notBeforeMs: Date.now() - 3_600_000, notAfterMs: Date.now() + 3_600_000 };

function authority(commonName: string): Authority {
  const keys = generateKeyPair();
  const name = { commonName };
  const pem = issueCertificate({ subject: name, ...validity, usage: 'authority' }, keys.publicKey, { name, ...keys });
  return { ...keys, commonName, pem };
}

function clientOf(issuer: Authority): { readonly cert: string; readonly key: string } {
  const keys = generateKeyPair();
  const subject = { commonName: `client of ${issuer.commonName}` };
  const { commonName, publicKey, privateKey } = issuer;
  const signer = { name: { commonName }, publicKey, privateKey };
  const cert = issueCertificate({ subject, ...validity, usage: 'client' }, keys.publicKey, signer);
  return { cert, key: String(keys.privateKey.export({ type: 'pkcs8', format: 'pem' })) };
}

const [first, second] = [authority('first'), authority('second')];
const [firstClient, secondClient] = [clientOf(first), clientOf(second)];
let folder: string;
let file: string;
let server: TestServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-files-'));
  file = join(folder, 'clients.pem');
  await writeFile(file, first.pem);
  const authentication = { ...configDefaults.authentication, clientCaFile: file };
  server = await startTestServer({}, {}, { config: { authentication, logging: { level: 'silent' } } });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** 200 if authenticated, 401 for a certificate from an unknown CA. */
async function codeFor(tls: object): Promise<number> {
  const call = request(`${server.url}/api/v1/nodes`, { rejectUnauthorized: false, agent: false, ...tls });
  call.end();
  const [response] = (await once(call, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

const codes = async (): Promise<readonly number[]> => [await codeFor(firstClient), await codeFor(secondClient)];

/** Like a mounted file: the new one atomically replaces the old one. */
async function replaceFile(text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

test('client CAs are reloaded from the file', async () => {
  expect(await codes()).toEqual([200, 401]);
  await replaceFile(first.pem + second.pem);
  await expect.poll(codes).toEqual([200, 200]);
  await replaceFile(second.pem);
  await expect.poll(codes).toEqual([401, 200]);
});

test('a file without certificates changes nothing', async () => {
  await replaceFile('-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await codes()).toEqual([401, 200]);
  await replaceFile(first.pem);
  await expect.poll(codes).toEqual([200, 401]);
});
