import { expect, test } from 'vitest';
import { endOf } from './request-cleaner.ts';
import type { StoredRequest } from './signing-requests.ts';

const made = '2026-01-01T00:00:00Z';
const decided = '2026-01-01T10:00:00Z';

function request(type: string | undefined, certificate?: string): StoredRequest {
  const conditions = type === undefined ? [] : [{ type, status: 'True', lastUpdateTime: decided }];
  const status = { conditions, ...(certificate === undefined ? {} : { certificate }) };
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'a', creationTimestamp: made },
    status,
  };
}

test.for([
  [request(undefined), '2026-01-02T00:00:00.000Z'],
  [request('Denied'), '2026-01-01T11:00:00.000Z'],
  [request('Failed'), '2026-01-01T11:00:00.000Z'],
  [request('Approved'), '2026-01-02T10:00:00.000Z'],
  [request('Approved', Buffer.from('no certificate').toString('base64')), '2026-01-01T11:00:00.000Z'],
] as const)('%#: a request ends at %s', ([object, end]) => {
  expect(new Date(endOf(object)).toISOString()).toBe(end);
});

test('others decide about what has another condition', () => {
  expect(endOf(request('Else'))).toBe(Number.POSITIVE_INFINITY);
});
