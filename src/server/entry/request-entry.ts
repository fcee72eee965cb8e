import { withSpanPlace } from '../../api/contracts/span.ts';
import type { Clock } from '../../api/time/clock.ts';
import { logSite } from '../../api/contracts/log.ts';
import { BodyBudget } from '../../http/transport/body-budget.ts';
import type { Compression } from '../../http/transport/compression.ts';
import type { Exchange } from '../../http/transport/exchange.ts';
import type { Encoding } from '../../http/forms/encoding.ts';
import type { Form } from '../../http/forms/form.ts';
import { type WireForms, wireForms } from '../../http/negotiation/wire-forms.ts';
import { LargeBodyLimit } from '../../http/request/large-body-limit.ts';
import { requestHandler } from '../../http/pipeline/request-handler.ts';
import type { ServerConfig } from '../config.ts';
import { gatesByConfig } from '../kinds/served-by-config.ts';
import type { StageParts } from './stage-parts.ts';
import type { StageRow } from './stages.ts';

const site = logSite('entry/request-entry.ts');

/** The parts of the wiring that every request passes. */
interface EntryTables {
  readonly stages: readonly StageRow[];
  readonly encodings: readonly Encoding[];
  readonly forms: readonly Form[];
}

/** The entry point of all requests from the listener. */
export function requestEntry(
  parts: StageParts,
  { clock, wiring }: { readonly clock: Clock; readonly wiring: EntryTables },
): (exchange: Exchange) => void {
  const { log } = parts;
  const bodies = new BodyBudget();
  parts.sharing.join(({ seats }) => {
    const pool = seats.poolOf('bodies/KiB');
    if (pool !== undefined) bodies.shareWith(pool);
  });
  return requestHandler({
    stages: wiring.stages.map(({ make }) => make(parts)).filter((stage) => stage !== undefined),
    inTrace: parts.tracing === undefined ? undefined : withSpanPlace,
    services: {
      clock,
      log,
      verbs: parts.verbs,
      kinds: () => parts.scopes.now,
      bodies,
      watches: parts.watches,
      lanes: parts.lanes,
      transportSecurity: parts.config.serving.transportSecurity.join('; '),
      ...servicesByGates(parts.config, wiring),
    },
    onUnexpectedError: (context, error) => {
      const { method, path: URI } = context.exchange;
      const values = { method, URI, auditID: context.auditId };
      log.write({ site, severity: 'error', message: 'request failed', error, values });
    },
  });
}

function servicesByGates(
  { api }: ServerConfig,
  { encodings, forms }: EntryTables,
): { readonly compression: Compression; readonly wireForms: WireForms; readonly largeBodies: LargeBodyLimit } {
  const gates = gatesByConfig(api);
  const open = encodings.filter(({ gate }) => gate === undefined || gates.get(gate) === true);
  return {
    compression: {
      responses: gates.get('APIResponseCompression') ?? false,
      watchLists: gates.get('WatchListCompression') ?? false,
    },
    largeBodies: new LargeBodyLimit(),
    wireForms: wireForms(open, forms),
  };
}
