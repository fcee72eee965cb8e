import { expect, test } from 'vitest';
import { generateKeyPair, issueCertificate } from '../../codec/x509/issue-certificate.ts';
import { areAuthorities } from './trust-bundle-publisher.ts';

const name = { commonName: 'test' };
const keys = generateKeyPair();

function certificate(usage: 'authority' | 'server'): string {
  const template = { subject: name, usage, notBeforeMs: 0, notAfterMs: Date.UTC(2100, 0) };
  return issueCertificate(template, keys.publicKey, { name, ...keys });
}

test('authorities are published, and no certificate that signs none', () => {
  expect(areAuthorities(certificate('authority'))).toBe(true);
  expect(areAuthorities(certificate('authority') + certificate('authority'))).toBe(true);
  expect(areAuthorities(certificate('server'))).toBe(false);
  expect(areAuthorities(certificate('server') + certificate('authority'))).toBe(false);
  expect(areAuthorities('')).toBe(false);
});
