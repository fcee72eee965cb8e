import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../api/errors/config-error.ts';
import { Metric } from '../../api/metrics/metric.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { generateKeyPair, issueCertificate } from '../../codec/x509/issue-certificate.ts';
import { readEgress } from './read-egress.ts';

const refusals = JSON.parse(readFileSync(new URL('testdata/refusals.json', import.meta.url), 'utf8')) as {
  readonly file: string;
  readonly error: string;
}[];

const folder = mkdtempSync(join(tmpdir(), 'binnacle-egress-'));
const file = join(folder, 'egress.yaml');
const context: Pick<PartContext, 'metric'> = { metric: (definition) => new Metric(definition) };

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function writeCertificate(name: string): void {
  const keys = generateKeyPair();
  const subject = { commonName: name };
  const template = { subject, notBeforeMs: 0, notAfterMs: 4e12, usage: 'authority' } as const;
  write(`${name}.crt`, issueCertificate(template, keys.publicKey, { name: subject, ...keys }));
  write(`${name}.key`, keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
}

beforeAll(() => {
  for (const name of ['client', 'ca', 'other']) writeCertificate(name);
  write('junk', 'nothing\n');
});

afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string) {
  writeFileSync(file, text);
  return readEgress(file, context);
}

function configuration(...selections: readonly object[]): string {
  const header = { apiVersion: 'apiserver.k8s.io/v1beta1', kind: 'EgressSelectorConfiguration' };
  return JSON.stringify({ ...header, egressSelections: selections });
}

const direct = { proxyProtocol: 'Direct' };

describe('files with which kube-apiserver 1.37.1 does not start', () => {
  test.each(refusals)('$file', async ({ file: text, error }) => {
    const expected = new ConfigError(error.replaceAll('FOLDER', folder));
    await expect(read(text.replaceAll('FOLDER', folder))).rejects.toThrow(expected);
  });

  test('a file that is not there', async () => {
    const path = join(folder, 'none');
    const why = `unable to read egress selector configuration from "${path}" [open ${path}: no such file or directory]`;
    await expect(readEgress(path, context)).rejects.toThrow(
      new ConfigError(`failed to read egress selector config: ${why}`),
    );
  });

  test('a folder', async () => {
    const why = `unable to read egress selector configuration from "${folder}" [read ${folder}: is a directory]`;
    await expect(readEgress(folder, context)).rejects.toThrow(
      new ConfigError(`failed to read egress selector config: ${why}`),
    );
  });
});

test('networks have the ways that are named, whatever the case of their names', async () => {
  const text = configuration({ name: 'Cluster', connection: direct }, { name: 'ETCD', connection: direct });
  expect(await read(text)).toEqual({ cluster: 'direct', etcd: 'direct' });
});

test.each(['v1alpha1', 'v1beta1'])('the control plane may have its old name in %s', async (version) => {
  const text = configuration({ name: 'master', connection: direct }).replace('v1beta1', version);
  expect(await read(text)).toEqual({ controlplane: 'direct' });
});

test('no selections are no egress, an empty list is one that names nothing', async () => {
  expect(await read(configuration().replace('[]', 'null'))).toBeUndefined();
  expect(await read(configuration())).toEqual({});
});

test('proxies are ways', async () => {
  const [caBundle, clientCert, clientKey] = ['ca.crt', 'client.crt', 'client.key'].map((name) => join(folder, name));
  const overTls = { url: 'https://127.0.0.1:1', tlsConfig: { caBundle, clientCert, clientKey } };
  const text = configuration(
    { name: 'cluster', connection: { proxyProtocol: 'HTTPConnect', transport: { tcp: overTls } } },
    { name: 'controlplane', connection: { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: '/a' } } } },
    { name: 'etcd', connection: { proxyProtocol: 'HTTPConnect', transport: { tcp: { url: 'http://[::1]:2' } } } },
  );
  const ways = await read(text);
  expect(Object.values(ways ?? {}).map((way) => typeof way)).toEqual(['function', 'function', 'function']);
});
