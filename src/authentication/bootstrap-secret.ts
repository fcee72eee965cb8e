import type { KubernetesObject } from '../api/meta/object.ts';
import { parseTime, TimeError } from '../api/time/time.ts';

/** The type of the secrets in `kube-system` with the tokens by which nodes join. */
export const bootstrapSecretType = 'bootstrap.kubernetes.io/token';

/** A value of a secret as a string; empty if missing. */
export function secretText(secret: Readonly<KubernetesObject>, key: string): string {
  const data = (secret['data'] ?? {}) as { readonly [key: string]: string }; // decoded as a secret
  return Object.hasOwn(data, key) ? Buffer.from(data[key] ?? '', 'base64').toString() : '';
}

/** The remaining lifetime of a token; 0 or less if it has expired or its expiration is malformed. */
export function bootstrapTokenLeftMs(secret: Readonly<KubernetesObject>, nowMs: number): number {
  const expiration = secretText(secret, 'expiration');
  if (expiration === '') return Number.POSITIVE_INFINITY;
  try {
    const { epochMs, nanos } = parseTime(expiration);
    return epochMs + nanos / 1e6 - nowMs;
  } catch (error) {
    if (error instanceof TimeError) return 0;
    throw error;
  }
}
