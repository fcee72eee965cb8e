import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { generateKeyPair, issueCertificate } from '../../codec/x509/issue-certificate.ts';
import { KeyFileError, privateKey, publicKeys } from './keys.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const pem = {
  pkcs1: rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  sec1: ec.privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
  spki: rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
};

test('a file may hold several keys, private and public ones', () => {
  const keys = publicKeys(`${pem.pkcs1}\nnotes\n${pem.sec1}${pem.spki}`, 'f');
  expect(keys.map(({ key }) => key.type)).toEqual(['public', 'public', 'public']);
  expect(keys[0]?.id).toBe(keys[2]?.id);
  expect(keys[0]?.id).not.toBe(keys[1]?.id);
  expect(privateKey(pem.pkcs1, 'f').id).toBe(keys[0]?.id);
});

test('a certificate stands for its key, as envtest writes them', () => {
  const issuer = { name: { commonName: 'envtest' }, ...generateKeyPair() };
  const template = { subject: issuer.name, usage: 'server', notBeforeMs: 0, notAfterMs: 1e12 } as const;
  const certificate = issueCertificate(template, ec.publicKey, issuer);
  expect(publicKeys(certificate, 'f')[0]?.id).toBe(privateKey(pem.sec1, 'f').id);
});

test.each([
  ['', 'f contains no key'],
  ['-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----', 'neither RSA nor ECDSA'],
  ['-----BEGIN X509 CRL-----\nx\n-----END X509 CRL-----', 'f contains no key'],
  ['-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----', 'neither RSA nor ECDSA'],
])('%j is refused by name', (text, message) => {
  expect(() => publicKeys(text, 'f')).toThrow(KeyFileError);
  expect(() => publicKeys(text, 'f')).toThrow(message);
});

test('a key unsuitable for signing tokens is refused', () => {
  const { privateKey: key } = generateKeyPairSync('ed25519');
  expect(() => privateKey(key.export({ type: 'pkcs8', format: 'pem' }).toString(), 'f')).toThrow('must be RSA');
  expect(() => privateKey(pem.spki, 'f')).toThrow('contains no private key');
});
