import { X509Certificate } from 'node:crypto';
import type { PeerCertificate } from 'node:tls';
import { expect, test } from 'vitest';
import type { Credentials } from '../api/authentication.ts';
import { namedParts, commonNameOid } from '../codec/x509/distinguished-name.ts';
import { generateKeyPair, issueCertificate } from '../codec/x509/issue-certificate.ts';
import { ClientAuthorities, readOnce } from './client-authorities.ts';

const hour = 3_600_000;
const keys = generateKeyPair();
const name = { commonName: 'ca' };

function certificate(commonName: string, usage: 'authority' | 'client', notAfterMs: number): X509Certificate {
  const template = { subject: { commonName }, usage, notBeforeMs: 0, notAfterMs };
  return new X509Certificate(issueCertificate(template, keys.publicKey, { name, ...keys }));
}

const authority = certificate('ca', 'authority', 10 * hour);
const client = certificate('ann', 'client', hour);

function shownBy(chain: readonly X509Certificate[], verified = true): Credentials {
  const legacy = chain.map((each) => ({
    ...{ raw: each.raw, fingerprint256: each.fingerprint256, valid_to: each.validTo },
  }));
  return {
    connection: {},
    path: '/',
    header: () => undefined,
    headersLike: () => [],
    webSocketToken: undefined,
    // All that is read of them.
    peer: () => ({ chain: legacy as unknown as [PeerCertificate], verified }),
  };
}

function told(authorities = new ClientAuthorities([authority])) {
  let nowMs = 0;
  const read = readOnce(authorities, { now: () => nowMs }, ({ subject }) => namedParts(subject, commonNameOid)[0]);
  return { read, pass: (ms: number) => (nowMs += ms) };
}

test('a certificate is accepted until it expires, even on an open connection', () => {
  const { read, pass } = told();
  const shown = shownBy([client, authority]);
  expect(read(shown)).toBe('ann');
  pass(hour - 1_000);
  expect(read(shown)).toBe('ann');
  pass(1_000);
  expect(() => read(shown)).toThrow('Unauthorized');
});

test('a resumed session, which lacks the issuers, is accepted like the first', () => {
  const { read } = told();
  const other = certificate('bea', 'client', hour);
  expect(() => read(shownBy([other]))).toThrow('Unauthorized');
  expect(read(shownBy([other, authority]))).toBe('bea');
  expect(read(shownBy([other]))).toBe('bea');
});

test('certificates refused by the handshake are refused', () => {
  const { read } = told();
  expect(() => read(shownBy([client, authority], false))).toThrow('Unauthorized');
});

test('changed CAs apply to existing connections', async () => {
  const file: { changed?: (text: string) => void | Promise<void> } = {};
  const readFile = (_: string, changed?: (text: string) => void | Promise<void>) => {
    if (changed !== undefined) file.changed = changed;
    return Promise.resolve(authority.toString());
  };
  const { read } = told(await ClientAuthorities.ofFile('/ca', { readFile }));
  const shown = shownBy([client, authority]);
  expect(read(shown)).toBe('ann');
  await file.changed?.(certificate('other', 'authority', hour).toString());
  expect(() => read(shown)).toThrow('Unauthorized');
});
