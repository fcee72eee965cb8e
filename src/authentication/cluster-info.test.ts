import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { generateKeyPair, issueCertificate } from '../codec/x509/issue-certificate.ts';
import { authenticationDefaults } from './authentication-config.ts';
import { combinedClusterInfo, type OwnInfo } from './cluster-info.ts';

const hourMs = 3_600_000;
const now = Date.UTC(2026, 10, 22);

function authority(commonName: string, notAfterMs = now + hourMs): string {
  const keys = generateKeyPair();
  const subject = { commonName };
  const template = { subject, usage: 'authority', notBeforeMs: now - hourMs, notAfterMs } as const;
  return issueCertificate(template, keys.publicKey, { name: subject, ...keys });
}

function namesIn(pem: string | undefined): readonly string[] {
  const blocks = pem?.match(/-----BEGIN[^-]*-----[^-]*-----END[^-]*-----\n/g) ?? [];
  expect(blocks.join('')).toBe(pem ?? '');
  return blocks.map((block) => new X509Certificate(block).subject);
}

const requestHeader = {
  ...authenticationDefaults.requestHeader,
  allowedNames: ['proxy'],
  usernameHeaders: ['X-Remote-User'],
  groupHeaders: ['X-Remote-Group', 'X-Remote-Group'],
};
const plain: OwnInfo = { clientCa: authority('a'), proxyCa: undefined, requestHeader, knowsUids: true };

test('who has no proxy tells only of client certificates', () => {
  const { 'client-ca-file': published, ...rest } = combinedClusterInfo({}, plain, now);
  expect(namesIn(published)).toEqual(['CN=a']);
  expect(rest).toEqual({});
});

test('authorities are told once, in order, without those that have expired', () => {
  const [b, late, old] = [authority('b'), authority('late', now - 200_000), authority('old', now - 400_000)];
  const published = { 'client-ca-file': `${b}${old}` };
  const clientCa = `between\n${plain.clientCa}${late}${b}`;
  const combined = combinedClusterInfo(published, { ...plain, clientCa }, now);
  expect(namesIn(combined['client-ca-file'])).toEqual(['CN=b', 'CN=a', 'CN=late']);
});

test('what other servers have told of proxies stays, and keys of nobody go', () => {
  const published = {
    'requestheader-client-ca-file': authority('p'),
    'requestheader-username-headers': '["X-User"]',
    'requestheader-group-headers': 'null',
    other: 'x',
  };
  const {
    'client-ca-file': _,
    'requestheader-client-ca-file': proxies,
    ...alone
  } = combinedClusterInfo(published, plain, now);
  expect(namesIn(proxies)).toEqual(['CN=p']);
  expect(alone).toEqual({
    'requestheader-username-headers': '["X-User"]',
    'requestheader-group-headers': '[]',
    'requestheader-extra-headers-prefix': '[]',
    'requestheader-allowed-names': '[]',
  });
  const both = combinedClusterInfo(published, { ...plain, proxyCa: authority('q') }, now);
  expect(namesIn(both['requestheader-client-ca-file'])).toEqual(['CN=p', 'CN=q']);
  expect(both).toMatchObject({
    'requestheader-username-headers': '["X-User","X-Remote-User"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-allowed-names': '["proxy"]',
  });
});

test('headers with uids are told when there are any and the gate is on', () => {
  const proxy = {
    ...plain,
    proxyCa: authority('q'),
    requestHeader: { ...requestHeader, uidHeaders: ['X-Remote-Uid'] },
  };
  expect(combinedClusterInfo({}, proxy, now)).toMatchObject({ 'requestheader-uid-headers': '["X-Remote-Uid"]' });
  expect(combinedClusterInfo({}, { ...proxy, knowsUids: false }, now)).not.toHaveProperty('requestheader-uid-headers');
});

test.each([{ 'requestheader-group-headers': '{}' }, { 'requestheader-group-headers': '[1]' }])(
  'invalid lists of names are not overwritten: %j',
  (published) => {
    expect(() => combinedClusterInfo(published, plain, now)).toThrow('is not a list of names');
  },
);
