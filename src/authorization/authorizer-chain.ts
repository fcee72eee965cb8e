import type { Authorizer } from '../api/contracts/authorization.ts';
import { type AuthorizerMetrics, counted } from './authorizer-metrics.ts';
import type { AuthorizerSpec } from './configuration/authorizer-spec.ts';
import { privilegedGroup } from './privileged-group.ts';
import { unionAuthorizer } from './union.ts';

/** Asks the configured authorizers in order; `system:masters` bypasses them. */
export async function authorizerChain(
  specs: readonly AuthorizerSpec[],
  make: (spec: AuthorizerSpec) => Promise<Authorizer>,
  metrics: AuthorizerMetrics,
): Promise<Required<Authorizer>> {
  const made: { readonly name: string; readonly authorizer: Authorizer }[] = [];
  for (const spec of specs) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: there may be hundreds of webhooks
    made.push({ name: spec.name, authorizer: counted(await make(spec), spec, metrics) });
  }
  return unionAuthorizer([{ name: 'kubernetes.io/system-privileged-group', authorizer: privilegedGroup }, ...made]);
}
