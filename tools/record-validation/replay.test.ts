import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { fieldErrorCause } from '../../src/api/field-error.ts';
import type { JsonObject } from '../../src/api/json.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { WriteContext } from '../../src/registry/strategy.ts';
import { builtInValidation } from '../../src/resources/validation/built-in-validation.ts';
import { mutated } from './case.ts';

// Answers of the reference to invalid objects (written by main.ts), compared with ours.

type Recorded = readonly [
  operation: string,
  mutation: JsonObject,
  code: number,
  causes: readonly (readonly string[])[],
];

interface RecordedKind {
  readonly head: { readonly resource: string; readonly base: KubernetesObject };
  readonly cases: readonly Recorded[];
}

const text = readFileSync(join(import.meta.dirname, 'testdata/recorded.json'), 'utf8');
const kinds = JSON.parse(text) as RecordedKind[];
const context: WriteContext = {
  nowMs: 0,
  requestVersion: 'v1',
  user: { name: 'admin', uid: '', groups: [], extra: {} },
};

function kindKey({ apiVersion, kind }: KubernetesObject): string {
  return apiVersion.includes('/') ? `${apiVersion.split('/')[0]}/${kind}` : kind;
}

/** Decoding leaves out nulls and empty lists. */
function withoutZeros(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutZeros);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, item]) => item !== null && !(Array.isArray(item) && item.length === 0));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutZeros(item)]));
}

function causes(operation: string, base: KubernetesObject, mutation: JsonObject): string[][] {
  const validation = builtInValidation[kindKey(base)];
  const restored = Object.entries(mutation).map(([path, value]) => [
    path,
    value === '(removed)' ? undefined : withoutZeros(value),
  ]);
  // Objects of Kubernetes are JSON, and stay so.
  const object = mutated(base as unknown as JsonObject, Object.fromEntries(restored)) as unknown as KubernetesObject;
  const errors =
    operation === 'create'
      ? validation?.validate?.(object, context)
      : operation === 'update'
        ? validation?.validateUpdate?.(object, base, context)
        : validation?.subresources?.[operation]?.validateUpdate?.(object, base, context);
  return (errors ?? []).map((error) => {
    const { reason = '', message = '', field = '' } = fieldErrorCause(error);
    return [reason, message, field];
  });
}

for (const { head, cases } of kinds) {
  const base = withoutZeros(head.base) as KubernetesObject;
  describe(`${head.resource} ${head.base.metadata.name}`, () => {
    for (const [operation, mutation, code, expected] of cases) {
      if (code !== 422 && code >= 400 && code !== 409) continue;
      it(`${operation} ${JSON.stringify(mutation).slice(0, 150)}`, () => {
        expect(causes(operation, base, mutation)).toEqual(expected);
      });
    }
  });
}
