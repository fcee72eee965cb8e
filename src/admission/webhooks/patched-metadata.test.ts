import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import { inKeyOrder } from '../../api/json/json-text.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { StatusError } from '../../api/errors/status.ts';
import { withFittingMetadata } from './patched-metadata.ts';

// What kube-apiserver answers when a webhook patches metadata of a custom resource like this.

const kind = { group: 'example.com', version: 'v1', kind: 'Thing' };
const stored = { name: 'old', namespace: 'default', resourceVersion: '5', generation: 1, uid: 'u' };
const oldObject = {
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: stored,
  spec: { a: 'x' },
} as unknown as KubernetesObject;

function patched(metadata: JsonValue, isUpdate: boolean): JsonObject | StatusError {
  const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec: { a: 'y' } };
  const write = { kind, plural: 'things', oldObject: isUpdate ? oldObject : undefined };
  try {
    return withFittingMetadata(object, write);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

test.each<readonly [string, JsonValue, string]>([
  ['labels', 'x', 'cannot restore map from string'],
  ['labels', 7, 'cannot restore map from int64'],
  ['labels', [], 'cannot restore map from slice'],
  ['labels', { a: 1 }, 'cannot convert int64 to string'],
  ['labels', { a: {} }, 'unrecognized type: string'],
  ['annotations', true, 'cannot restore map from bool'],
  ['generateName', {}, 'unrecognized type: string'],
  ['finalizers', {}, 'cannot restore slice from map'],
  ['finalizers', [1], 'cannot convert int64 to string'],
  ['ownerReferences', ['x'], 'cannot restore struct from: string'],
  ['ownerReferences', [{ apiVersion: 1 }], 'cannot convert int64 to string'],
  ['managedFields', 'x', 'cannot restore slice from string'],
  ['deletionGracePeriodSeconds', 1.5, 'cannot convert float64 to int64'],
])('%s %j', (field, value, why) => {
  const metadata = { ...stored, [field]: value };
  const whole = JSON.stringify(inKeyOrder({ ...metadata, generation: 2 }));
  const message = `Invalid value: ${whole}: ${why}`;
  expect(patched(metadata, true)).toMatchObject({
    status: {
      code: 422,
      reason: 'Invalid',
      message: `Thing.example.com "old" is invalid: metadata: ${message}`,
      details: { name: 'old', causes: [{ reason: 'FieldValueInvalid', field: 'metadata', message }] },
    },
  });
  expect(patched({ ...metadata, name: 'new' }, false)).toMatchObject({
    status: { code: 422, message: expect.stringContaining(`}: ${why}`), details: { name: 'new' } },
  });
});

test.each([
  ['creationTimestamp', 'no date'],
  ['generation', '5'],
  ['namespace', []],
  ['uid', 7],
] as const)('%s is set by the server anyway', (field, value) => {
  for (const isUpdate of [false, true]) {
    const { [field]: _, ...others } = stored as JsonObject;
    expect(patched({ ...stored, [field]: value as JsonValue }, isUpdate)).toMatchObject({ metadata: others });
  }
});

test('no metadata at all', () => {
  for (const value of ['x', 7, [], true, null]) {
    expect(patched(value, false)).toMatchObject({
      status: { code: 500, message: 'Internal error occurred: system metadata was not initialized' },
    });
  }
  const required = 'metadata.resourceVersion: Invalid value: 0: must be specified for an update';
  for (const value of ['x', 7, [], true]) {
    expect(patched(value, true)).toMatchObject({
      status: { code: 422, message: `things.example.com "old" is invalid: ${required}`, details: { kind: 'things' } },
    });
  }
  expect(patched({ ...stored, resourceVersion: {} }, true)).toMatchObject({
    status: { code: 422, message: `things.example.com "old" is invalid: ${required}` },
  });
});

test('a name of another type is missing', () => {
  expect(patched({ ...stored, name: 7 }, true)).toMatchObject({
    status: {
      details: {
        causes: [
          { reason: 'FieldValueRequired', field: 'metadata.name' },
          { reason: 'FieldValueInvalid', message: 'Invalid value: "": field is immutable', field: 'metadata.name' },
          { reason: 'FieldValueInvalid', field: 'metadata' },
        ],
      },
    },
  });
});
