import { StatusError } from '../../api/errors/status.ts';
import { unsupportedMediaType } from '../../api/errors/status-errors.ts';
import { type PatchFormat, patchFormats } from '../../patch/apply-patch.ts';
import type { WireForms } from '../negotiation/wire-forms.ts';
import type { RequestContext } from './request-context.ts';

/** The patch format of a Content-Type; 415 if unknown. */
export function patchFormatOf({ exchange, wireForms }: RequestContext, isCustom: boolean): PatchFormat | 'apply' {
  // Unlike for other bodies, the match is exact.
  const mediaType = (exchange.header('content-type') ?? '').split(';', 1)[0] ?? '';
  if (wireForms.applyTypes.includes(mediaType)) return 'apply';
  if (isCustom) return freeFormatOf(mediaType, wireForms);
  for (const [known, patchFormat] of Object.entries(patchFormats)) if (known === mediaType) return patchFormat;
  throw new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    details: {},
  });
}

/** Custom resources have no merge keys, hence no strategic merge patch. */
function freeFormatOf(mediaType: string, { applyTypes }: WireForms): PatchFormat {
  if (mediaType === 'application/json-patch+json') return 'json';
  if (mediaType === 'application/merge-patch+json') return 'merge';
  throw unsupportedMediaType(['application/json-patch+json', 'application/merge-patch+json', ...applyTypes]);
}
