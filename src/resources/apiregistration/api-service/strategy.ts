import { goQuote } from '../../../api/go/go-quote.ts';
import { pathSegmentErrors } from '../../../api/meta/names.ts';
import { formatSeconds } from '../../../registry/write/metadata.ts';
import type { APIService } from '../../../schema/kubernetes/generated/types/apiregistration-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';

function nameErrors(name: string, _prefix: boolean, { spec = {} }: Readonly<APIService>): readonly string[] {
  const malformed = pathSegmentErrors(name);
  if (malformed.length > 0) return malformed;
  const expected = `${spec.version ?? ''}.${spec.group ?? ''}`;
  return name === expected ? [] : [`must be \`spec.version+"."+spec.group\`: ${goQuote(expected)}`];
}

/** A version that this server serves itself is Available at once. */
export const apiServiceStrategy: StrategyOf<APIService> = {
  requireResourceVersion: true,
  nameRule: nameErrors,
  tellsRepetitions: true,
  revalidatesMetadata: 'and-anew',
  prepareForCreate(service, { nowMs }) {
    if (service.spec?.service !== undefined) return;
    const condition = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: formatSeconds(nowMs),
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
    service.status = { conditions: [condition] };
  },
  statusKeepsMetadata: true,
};
