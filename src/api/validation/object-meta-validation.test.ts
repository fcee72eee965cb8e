import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../errors/field-error.ts';
import { allOf } from '../errors/findings.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from './object-meta-validation.ts';
import type { ObjectMeta } from '../meta/object.ts';

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const ok: ObjectMeta = { name: 'x', namespace: 'd' };

// Recorded from the reference.
it.each([
  [{ ...ok, name: 'UPPER' }, [`metadata.name: Invalid value: "UPPER": ${subdomain}`]],
  [
    { ...ok, name: 'a'.repeat(254) },
    [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`],
  ],
  [{ namespace: 'd' }, ['metadata.name: Required value: name or generateName is required']],
  [{ ...ok, generateName: '-x-' }, [`metadata.generateName: Invalid value: "-x-": ${subdomain}`]],
  [{ name: 'x' }, ['metadata.namespace: Required value']],
  [{ ...ok, generation: -1 }, ['metadata.generation: Invalid value: -1: must be greater than or equal to 0']],
  [
    { ...ok, labels: { ['a'.repeat(64)]: 'd' } },
    [`metadata.labels: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 bytes`],
  ],
  [
    { ...ok, annotations: { a: 'x'.repeat(262_144) } },
    ['metadata.annotations: Too long: may not be more than 262144 bytes'],
  ],
  [{ ...ok, annotations: { 'A/B': 'x'.repeat(262_141) } }, []],
  [
    { ...ok, finalizers: ['orphan', 'foregroundDeletion'] },
    [
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
  ],
  [
    { ...ok, ownerReferences: [{ apiVersion: 'a/b/c', kind: 'K', name: '', uid: 'u' }] },
    [
      'metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>',
      'metadata.ownerReferences[0].name: Required value: must not be empty',
    ],
  ],
] as [ObjectMeta, string[]][])('%j', (metadata, expected) => {
  expect(allOf(validateObjectMeta(metadata, { namespaced: true })).map(fieldErrorText)).toEqual(expected);
});

describe('an update', () => {
  it.each([
    [{ uid: 'b' }, {}, 'metadata.uid: Invalid value: "b": field is immutable'],
    [
      { deletionGracePeriodSeconds: 4 },
      {},
      'metadata.deletionGracePeriodSeconds: Invalid value: 4: field is immutable',
    ],
    [{ generation: 1 }, { generation: 2 }, 'metadata.generation: Invalid value: 1: must not be decremented'],
    [
      { deletionTimestamp: 't', finalizers: ['c/d', 'a/a', 'k/k'] },
      { deletionTimestamp: 't', finalizers: ['k/k'] },
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a/a", "c/d"}',
    ],
  ] as [ObjectMeta, ObjectMeta, string][])('of %j is refused', (metadata, old, expected) => {
    const errors = validateObjectMetaUpdate({ ...ok, ...metadata }, { ...ok, ...old });
    expect(errors.map(fieldErrorText)).toEqual([expected]);
  });
});
