import type { Secret } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { always } from '../../kind-warnings.ts';
import { fixed } from '../../parts/defaults/fill.ts';
import { secret, secretUpdate } from './validation.ts';
import { secretWarnings } from './warnings.ts';

export const secretKind = defineKind<Secret>({
  group: '',
  kind: 'Secret',
  strategy: {
    selectableFields: { type: ({ type }) => type ?? '' },
    normalize: mergeStringData,
  },
  checks: { create: secret, update: secretUpdate },
  warnings: always(secretWarnings),
  defaults: { 'io.k8s.api.core.v1.Secret': fixed({ type: 'Opaque' }) },
  table: async () => (await import('./table.ts')).secrets,
});

/** Merges the write-only `stringData` into `data`. */
function mergeStringData(secret: Secret): void {
  if (secret.stringData === undefined) return;
  const encoded = Object.entries(secret.stringData).map(
    ([key, text]) => [key, Buffer.from(text).toString('base64')] as const,
  );
  secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
  delete secret.stringData;
}
