import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import type { CaseObject } from '../case-objects.ts';
import type { HookResponse, Review } from './hook-server.ts';

export const mergePatch = 'application/merge-patch+json';

/** One webhook of a case: fields of its configuration, and what it answers. */
export interface CaseHook {
  readonly type: 'mutating' | 'validating';
  readonly fields?: JsonObject;
  readonly answer: HookResponse | ((review: Review, calls: number) => HookResponse);
}

export interface CaseStep {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** After the namespace of the case: `configmaps`. With a slash in front: the whole path. */
  readonly path: string;
  readonly body?: JsonObject | JsonObject[];
  /** In place of the body: JSON whose numbers keep their spelling. */
  readonly text?: string;
  readonly contentType?: string;
  readonly headers?: { readonly [name: string]: string };
}

/**
 * Hooks see the writes in the namespace of the case. `NS` is its name, wherever it occurs but in answers of hooks, and
 * `CASE` what is unique to it.
 */
export interface WebhookCase {
  readonly name: string;
  /** Made before the webhooks, each at the path of its collection. */
  readonly objects?: readonly CaseObject[];
  readonly hooks: readonly CaseHook[];
  readonly steps: readonly CaseStep[];
}

export const allowed: HookResponse = { response: { allowed: true } };
export const rules = (resources: readonly string[], more: JsonObject = {}): JsonObject => ({
  rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: [...resources], ...more }],
});
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
export const patchOf = (...operations: JsonObject[]): HookResponse => rawPatch(JSON.stringify(operations));
export const rawPatch = (text: string): HookResponse => ({
  response: { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(text).toString('base64') },
});
export const setData = (key: string, value: string): JsonObject => ({ op: 'add', path: `/data/${key}`, value });
export const validating = (name: string, answer: CaseHook['answer'], fields: JsonObject = {}): WebhookCase => ({
  name,
  hooks: [{ type: 'validating', fields, answer }],
  steps: [create('one')],
});
export const mutating = (name: string, answer: CaseHook['answer'], fields: JsonObject = {}): WebhookCase => ({
  name,
  hooks: [{ type: 'mutating', fields, answer }],
  steps: [create('one', { data: { a: '1' } })],
});
/** The value if it is text. */
export const stringValue = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
