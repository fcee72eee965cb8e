import type { AgentOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import { hostAuthorities } from './host-authorities.ts';

/**
 * TLS settings with certificates that are parsed once instead of for each connection: those of the host alone take tens
 * of milliseconds. Without `ca` the host's are trusted.
 */
export function preparedTls({ ca, cert, key, ...settings }: AgentOptions): AgentOptions {
  const isVerified = settings.rejectUnauthorized !== false;
  return {
    ...settings,
    secureContext: createSecureContext({
      ca: isVerified ? (ca ?? hostAuthorities()) : [],
      cert,
      key,
      allowPartialTrustChain: true,
    }),
  };
}
