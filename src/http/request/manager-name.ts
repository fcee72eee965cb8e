import type { RequestContext } from './request-context.ts';

/** Who writes: as the request says, or the first word of its User-Agent. */
export function managerOfRequest(context: RequestContext, fieldManager: string): string {
  return fieldManager === '' ? firstWord(context.exchange.header('user-agent') ?? '') : fieldManager;
}

const maxManagerBytes = 128;

/** What stands before the first slash, without what cannot be printed, as far as there is room for it. */
function firstWord(userAgent: string): string {
  let manager = '';
  let bytes = 0;
  // Headers come as one character a byte.
  for (const char of Buffer.from(userAgent.split('/', 1)[0] ?? '', 'latin1').toString('utf8')) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) continue;
    bytes += Buffer.byteLength(char);
    if (bytes > maxManagerBytes) break;
    manager += char;
  }
  return manager;
}
