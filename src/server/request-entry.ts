import { BodyBudget } from '../http/body-budget.ts';
import type { Compression } from '../http/compression.ts';
import type { Exchange } from '../http/exchange.ts';
import { mediaTypes, type MediaTypes } from '../http/media-types.ts';
import { WorkGate } from '../http/work-gate.ts';
import { requestHandler } from '../http/request-handler.ts';
import type { TableDefinition } from '../registry/table.ts';
import { builtInKinds } from '../resources/built-in-kinds.ts';
import { kindLookup } from '../resources/kind-lookup.ts';
import type { ServerConfig } from './config.ts';
import type { Log } from './log.ts';
import { gatesByConfig } from './served-by-config.ts';
import { requestStages, type StageParts } from './stages.ts';

/** What takes every request from the listener. */
export function requestEntry(parts: StageParts, log: Log): (exchange: Exchange) => void {
  return requestHandler({
    stages: requestStages(parts),
    services: { tableOf, bodies: new BodyBudget(), ...servicesByGates(parts.config) },
    now: () => Date.now(),
    onUnexpectedError: (context, error) => {
      const { method, path } = context.exchange;
      log.error({ error, method, path, auditId: context.auditId }, 'request failed');
    },
    onFinish: (context) => parts.metrics.finish(context),
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

const definitionOf = kindLookup(builtInKinds);

async function tableOf(group: string, kind: string): Promise<TableDefinition> {
  return definitionOf(group, kind).table();
}
