import { StatusError } from '../api/status.ts';
import { type PatchFormat, patchFormats } from '../patch/apply-patch.ts';
import type { RequestContext } from './request-context.ts';

/** What a Content-Type says of a patch; 415 when it is none. */
export function patchFormatOf({ exchange, mediaTypes }: RequestContext): PatchFormat | 'apply' {
  // Patches alone are chosen by the exact name.
  const mediaType = (exchange.header('content-type') ?? '').split(';', 1)[0] ?? '';
  if (mediaTypes.applies.includes(mediaType)) return 'apply';
  for (const [known, patchFormat] of Object.entries(patchFormats)) if (known === mediaType) return patchFormat;
  throw new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    details: {},
  });
}
