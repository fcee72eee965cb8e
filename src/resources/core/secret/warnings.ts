import type { Secret } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { keyPairError } from '../../../codec/x509/key-pair.ts';

/** A mismatch of certificate and key is only a warning. */
export function secretWarnings({ type, data = {} }: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const text = (field: string): string => Buffer.from(data[field] ?? '', 'base64').toString('latin1');
  const error = keyPairError(text('tls.crt'), text('tls.key'));
  return error === undefined ? [] : [error];
}
