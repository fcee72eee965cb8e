import { StatusError } from '../../api/status.ts';
import { unsupportedMediaType } from '../../api/status-errors.ts';
import { type PatchFormat, patchFormats } from '../../patch/apply-patch.ts';
import type { WireForms } from '../negotiation/wire-forms.ts';
import type { RequestContext } from './request-context.ts';

/** What a Content-Type says of a patch; 415 when it is none. */
export function patchFormatOf({ exchange, wireForms }: RequestContext, isCustom: boolean): PatchFormat | 'apply' {
  // Patches alone are chosen by the exact name.
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

/** Custom kinds have no merge keys, so there are no strategic patches of them. */
function freeFormatOf(mediaType: string, { applyTypes }: WireForms): PatchFormat {
  if (mediaType === 'application/json-patch+json') return 'json';
  if (mediaType === 'application/merge-patch+json') return 'merge';
  throw unsupportedMediaType(['application/json-patch+json', 'application/merge-patch+json', ...applyTypes]);
}
