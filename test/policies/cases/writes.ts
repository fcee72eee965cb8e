import type { JsonObject } from '../../../src/api/json/json.ts';
import type { CaseStep, PolicyCase } from '../policy-case.ts';

// The parts of the cases.

export const map = (name: string, more: JsonObject = {}): JsonObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
  ...more,
});

export const create = (name: string, more: JsonObject = {}): CaseStep => ({
  method: 'POST',
  path: 'configmaps',
  body: map(name, more),
});

export const update = (name: string, more: JsonObject = {}): CaseStep => ({
  method: 'PUT',
  path: `configmaps/${name}`,
  body: map(name, more),
});

/** One policy that sees one ConfigMap created. */
export const policyCase = (name: string, policy: JsonObject, binding: JsonObject = {}): PolicyCase => ({
  name,
  policies: [policy],
  bindings: [binding],
  steps: [create('one', { data: { a: '1', b: 'text' } })],
});

/** A policy with one validation. */
export const validation = (expression: string, more: JsonObject = {}): JsonObject => ({
  validations: [{ expression, ...more }],
});
