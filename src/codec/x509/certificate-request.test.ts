import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePemRequest } from './certificate-request.ts';
import { DerError } from './der.ts';

// `openssl req -new -subj /O=captains/O=pilots/CN=dora`, with an Ed25519 key.
const request = `-----BEGIN CERTIFICATE REQUEST-----
MIGyMGYCAQAwMzERMA8GA1UECgwIY2FwdGFpbnMxDzANBgNVBAoMBnBpbG90czEN
MAsGA1UEAwwEZG9yYTAqMAUGAytlcAMhAHMXYBf/+nNCB/XAtKWILro+wRD57U2k
0XXi+2OTF8BroAAwBQYDK2VwA0EA3L2gODVvz094tlwomkYhGgyCXk4VMqyZP/sm
et5ydMU9mpCp79v2XovyRlgdmFol/p06BqKB3NTqH+wOu+6tAQ==
-----END CERTIFICATE REQUEST-----
`;

function pem(body: Uint8Array): Buffer {
  const text = Buffer.from(body).toString('base64') || 'AA==';
  return Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----\n${text}\n-----END CERTIFICATE REQUEST-----\n`);
}

test('the organizations of the subject', () => {
  const { organizations, commonName, signatureProblem } = parsePemRequest(Buffer.from(request));
  expect({ organizations, commonName, signatureProblem }).toEqual({
    organizations: ['captains', 'pilots'],
    commonName: 'dora',
    signatureProblem: undefined,
  });
});

test('anything else is distinguished from a request', () => {
  expect(() => parsePemRequest(Buffer.from('no PEM'))).toThrow(
    new DerError('PEM block type must be CERTIFICATE REQUEST'),
  );
  const bytes = Buffer.from(request.split('\n').slice(1, -2).join(''), 'base64');
  for (let length = 0; length < bytes.length; length += 1) {
    expect(() => parsePemRequest(pem(bytes.subarray(0, length)))).toThrow(DerError);
  }
});

test('any bytes are parsed or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      try {
        parsePemRequest(pem(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(DerError);
      }
    }),
  );
});
