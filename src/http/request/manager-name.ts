import type { RequestContext } from './request-context.ts';

/** The field manager: from the request, or the first word of its User-Agent. */
export function managerOfRequest(context: RequestContext, fieldManager: string): string {
  return fieldManager === '' ? firstWord(context.exchange.header('user-agent') ?? '') : fieldManager;
}

export const maxManagerBytes = 128;

/** The part before the first slash, without non-printable characters, truncated. */
function firstWord(userAgent: string): string {
  let manager = '';
  let bytes = 0;
  // Node decodes headers as latin1.
  for (const char of Buffer.from(userAgent.split('/', 1)[0] ?? '', 'latin1').toString('utf8')) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) continue;
    bytes += Buffer.byteLength(char);
    if (bytes > maxManagerBytes) break;
    manager += char;
  }
  return manager;
}
