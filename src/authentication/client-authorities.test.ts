import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Credentials } from '../api/contracts/authentication.ts';
import { namedParts, commonNameOid } from '../codec/x509/distinguished-name.ts';
import { generateKeyPair, issueCertificate } from '../codec/x509/issue-certificate.ts';
import { ClientAuthorities, readAuthorities, readOnce } from './client-authorities.ts';

const hour = 3_600_000;
const keys = generateKeyPair();
const name = { commonName: 'ca' };

function certificate(
  commonName: string,
  usage: 'authority' | 'client',
  notAfterMs: number,
  issuer = name,
): X509Certificate {
  const template = { subject: { commonName }, usage, notBeforeMs: 0, notAfterMs };
  return new X509Certificate(issueCertificate(template, keys.publicKey, { name: issuer, ...keys }));
}

const authority = certificate('ca', 'authority', 10 * hour);
const client = certificate('ann', 'client', hour);

function shownBy(...chain: [X509Certificate, ...X509Certificate[]]): Credentials {
  const [own, ...issuers] = chain;
  return {
    connection: {},
    path: '/',
    header: () => undefined,
    headersLike: () => [],
    webSocketToken: undefined,
    peer: () => [own.raw, ...issuers.map(({ raw }) => raw)],
  };
}

function authoritiesOf(authorities = new ClientAuthorities(readAuthorities('ca', authority.toString()))) {
  let nowMs = 0;
  const clock = { now: () => nowMs };
  const read = readOnce({ authorities, clock, read: ({ subject }) => namedParts(subject.parts, commonNameOid)[0] });
  return { read, pass: (ms: number) => (nowMs += ms) };
}

test('a certificate is accepted until it expires, even on an open connection', () => {
  const { read, pass } = authoritiesOf();
  const shown = shownBy(client);
  expect(read(shown)).toBe('ann');
  pass(hour);
  expect(read(shown)).toBe('ann');
  pass(1);
  expect(() => read(shown)).toThrow('Unauthorized');
});

test('a certificate is accepted once it is valid, on the connection that it was refused on', () => {
  const { read, pass } = authoritiesOf();
  const shown = shownBy(client);
  pass(-1);
  expect(() => read(shown)).toThrow('Unauthorized');
  pass(1_000);
  expect(read(shown)).toBe('ann');
});

test('a resumed session, which lacks the issuers, is accepted like the first', () => {
  const { read } = authoritiesOf();
  const middle = certificate('middle', 'authority', hour);
  const other = certificate('bea', 'client', hour, { commonName: 'middle' });
  expect(() => read(shownBy(other))).toThrow('Unauthorized');
  expect(read(shownBy(other, middle))).toBe('bea');
  expect(read(shownBy(other))).toBe('bea');
});

test('what is not DER is refused', () => {
  const { read } = authoritiesOf();
  const truncated = { raw: client.raw.subarray(0, -1) } as X509Certificate;
  expect(() => read(shownBy(truncated))).toThrow('Unauthorized');
});

test('changed CAs apply to existing connections', async () => {
  const file: { changed?: (text: string) => void | Promise<void> } = {};
  const readFile = (_: string, changed?: (text: string) => void | Promise<void>) => {
    if (changed !== undefined) file.changed = changed;
    return Promise.resolve(authority.toString());
  };
  const { read } = authoritiesOf(await ClientAuthorities.ofFile('/ca', { readFile }));
  const shown = shownBy(client);
  expect(read(shown)).toBe('ann');
  await file.changed?.(certificate('other', 'authority', hour).toString());
  expect(() => read(shown)).toThrow('Unauthorized');
});
