import type { PluginRow } from '../../admission/plugin-table.ts';
import type { AdmittedUsages } from '../../admission/plugins/resource-quota/admitted-usages.ts';
import type { DelayedWrites } from '../../api/scheduling/delayed-writes.ts';
import { InProcessClient } from '../../client/in-process-client.ts';
import { systemUser } from '../../system/system-operation.ts';
import { type Access, makeAccess } from '../access/access.ts';
import type { ServerConfig } from '../config.ts';
import type { TracedPartContext } from '../server-context.ts';
import type { SharedParts } from '../threads/shared-parts.ts';
import type { Wiring } from '../wiring.ts';
import type { KindsPhase } from './kinds.ts';
import type { Later } from './later.ts';
import type { StorePhase } from './store.ts';

/** What quotas have been charged with, and is still to be written. */
export interface Charges {
  readonly delayed: DelayedWrites;
  readonly admitted: AdmittedUsages;
}

export interface AccessPhaseOptions extends Pick<KindsPhase, 'ground'>, Pick<StorePhase, 'serving'> {
  readonly context: TracedPartContext;
  readonly charges: Charges;
  readonly plugins: readonly PluginRow[];
  readonly shared: Pick<SharedParts, 'tokens' | 'othersWrite' | 'turns'>;
  /** Admission reads and writes objects with a client that is subject to authorization and admission itself. */
  readonly later: Later<Access>;
}

/** Requests can be authenticated, authorized and admitted. */
export async function openAccessPhase(
  config: ServerConfig,
  wiring: Wiring,
  { context, ground, serving, charges, plugins, shared, later }: AccessPhaseOptions,
): Promise<Access> {
  const { scopes, clock, store } = ground;
  const made = await makeAccess(config, wiring, {
    context,
    scopes,
    plugins,
    store,
    ...charges,
    ownAuthority: serving.authority,
    sharedTokens: shared.tokens,
    othersWrite: shared.othersWrite,
    turns: shared.turns,
    client: () => new InProcessClient({ scopes, clock, user: systemUser, manager: 'kube-apiserver', ...later.now }),
  });
  return later.set(made);
}
