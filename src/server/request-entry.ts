import type { Clock } from '../api/clock.ts';
import { BodyBudget } from '../http/transport/body-budget.ts';
import type { Compression } from '../http/transport/compression.ts';
import type { Exchange } from '../http/transport/exchange.ts';
import { mediaTypes, type MediaTypes } from '../http/negotiation/media-types.ts';
import { WorkGate } from '../http/request/work-gate.ts';
import { requestHandler } from '../http/pipeline/request-handler.ts';
import type { ServerConfig } from './config.ts';
import type { Log } from './log.ts';
import { gatesByConfig } from './served-by-config.ts';
import type { StageParts } from './stage-parts.ts';
import type { StageRow } from './stages.ts';

/** What takes every request from the listener. */
export function requestEntry(
  parts: StageParts,
  { clock, stages, log }: { readonly clock: Clock; readonly stages: readonly StageRow[]; readonly log: Log },
): (exchange: Exchange) => void {
  return requestHandler({
    stages: stages.map(({ make }) => make(parts)),
    services: {
      clock,
      verbs: parts.verbs,
      kinds: () => parts.scopes.now,
      bodies: new BodyBudget(),
      transportSecurity: parts.config.serving.transportSecurity.join('; '),
      ...servicesByGates(parts.config),
    },
    onUnexpectedError: (context, error) => {
      const { method, path } = context.exchange;
      log.error({ error, method, path, auditId: context.auditId }, 'request failed');
    },
  });
}

function servicesByGates({ api }: ServerConfig): {
  readonly compression: Compression;
  readonly mediaTypes: MediaTypes;
  readonly workGate: WorkGate;
} {
  const gates = gatesByConfig(api);
  return {
    compression: {
      answers: gates.get('APIResponseCompression') ?? false,
      watchLists: gates.get('WatchListCompression') ?? false,
    },
    workGate: new WorkGate(),
    mediaTypes: mediaTypes({ withCbor: gates.get('CBORServingAndStorage') ?? false }),
  };
}
