import type { Secret } from '../../../schema/kubernetes/generated/types/core-v1.ts';

/** `stringData` is written for people; what is kept is `data`. */
export function mergeStringData(secret: Secret): void {
  if (secret.stringData === undefined) return;
  const encoded = Object.entries(secret.stringData).map(
    ([key, text]) => [key, Buffer.from(text).toString('base64')] as const,
  );
  secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
  delete secret.stringData;
}
