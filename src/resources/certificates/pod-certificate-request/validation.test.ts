import { allOf } from '../../../api/errors/findings.ts';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { podCertificateRequest } from './validation.ts';

const podUID = '6f1f1d3e-2e57-4b3f-9d8e-0d1b8a3c1c11';

function specOf(publicKey: KeyObject, proof: Buffer): NonNullable<Parameters<typeof podCertificateRequest>[0]['spec']> {
  return {
    signerName: 'example.com/signer',
    podName: 'a',
    podUID,
    serviceAccountName: 'default',
    serviceAccountUID: 'u',
    nodeName: 'n',
    nodeUID: 'v',
    maxExpirationSeconds: 3600,
    pkixPublicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    proofOfPossession: proof.toString('base64'),
  };
}

const problems = (spec: ReturnType<typeof specOf>): string[] =>
  allOf(podCertificateRequest({ spec })).map(({ field, detail }) => `${field}: ${detail}`);

test('a key with a signature over the pod’s uid may replace a stub request', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const proof = sign('sha256', Buffer.from(podUID), privateKey);
  expect(problems(specOf(publicKey, proof))).toEqual([]);
  const other = sign('sha256', Buffer.from('other'), privateKey);
  expect(problems(specOf(publicKey, other))).toEqual([
    'spec.proofOfPossession: could not verify proof-of-possession signature',
  ]);
  const edwards = generateKeyPairSync('ed25519');
  expect(problems(specOf(edwards.publicKey, sign(null, Buffer.from(podUID), edwards.privateKey)))).toEqual([]);
});

test('small moduli, other curves and non-keys are refused', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const proof = Buffer.from('x');
  expect(problems(specOf(publicKey, proof))).toEqual([
    'spec.pkixPublicKey: RSA keys must have modulus size 3072 or 4096',
  ]);
  const spec = { ...specOf(publicKey, proof), pkixPublicKey: 'AAAA' };
  expect(problems(spec)).toEqual(['spec.pkixPublicKey: must be a valid PKIX-serialized public key']);
  expect(problems({ ...spec, proofOfPossession: '' })).toHaveLength(1);
});
