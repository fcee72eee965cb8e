import type { Authorizer } from '../api/contracts/authorization.ts';
import type { Client } from '../api/client/client.ts';
import { ConfigError } from '../api/errors/config-error.ts';
import { goQuote } from '../api/go/go-quote.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { StoredObjects } from '../api/contracts/stored-objects.ts';
import { alwaysAllow, alwaysDeny } from './always.ts';
import { type AuthorizationConfig, flagProblems, specsOfFlags } from './authorization-config.ts';
import { allowingPaths } from './allowed-paths.ts';
import { authorizerChain } from './authorizer-chain.ts';
import { authorizerMetrics } from './authorizer-metrics.ts';
import type { AuthorizerSpec } from './configuration/authorizer-spec.ts';
import type { RbacPolicy } from './rbac/policy.ts';
import { rbacAuthorizer } from './rbac/rbac-authorizer.ts';

/** Dependencies of authorizers. */
export interface AuthorizerContext extends PartContext {
  readonly config: AuthorizationConfig;
  /** The other authorizers' decision. */
  readonly stored: StoredObjects;
  /** Roles and bindings. */
  readonly policy: RbacPolicy;
  /** Reads and follows all resources. */
  readonly client: Client;
  /** State of every feature gate. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** This server's id in metrics. */
  readonly serverId: string;
}

export interface AuthorizerRow {
  /** As `--authorization-mode` names it. */
  readonly mode: string;
  /** Several may be configured; each is recreated when its configuration file changes. */
  readonly isRepeatable?: true;
  /** Large authorizers are imported here: only those that are configured are loaded. */
  readonly make: (context: AuthorizerContext, spec: AuthorizerSpec) => Authorizer | Promise<Authorizer>;
}

/** Every mode of the reference. */
export const authorizerTable: readonly AuthorizerRow[] = [
  { mode: 'AlwaysAllow', make: () => alwaysAllow },
  { mode: 'AlwaysDeny', make: () => alwaysDeny },
  { mode: 'ABAC', make: abac },
  { mode: 'Webhook', isRepeatable: true, make: webhook },
  { mode: 'RBAC', make: ({ policy }) => rbacAuthorizer(policy) },
  { mode: 'Node', make: node },
];

/** Read once, as in the reference. */
async function abac({ config: { policyFile }, readFile }: AuthorizerContext): Promise<Authorizer> {
  if (policyFile === undefined) throw new AuthorizationModeError("ABAC's authorization policy file not passed");
  const [{ abacAuthorizer }, { parsePolicyFile }] = await Promise.all([
    import('./abac/abac-authorizer.ts'),
    import('./abac/policy-file.ts'),
  ]);
  return abacAuthorizer(parsePolicyFile(await readFile(policyFile), policyFile));
}

async function node({ client, featureGates, onError, onStop }: AuthorizerContext): Promise<Authorizer> {
  const [{ nodeAuthorizer }, { followedGraph }] = await Promise.all([
    import('./node/node-authorizer.ts'),
    import('./node/followed-graph.ts'),
  ]);
  const graph = followedGraph({ client, onError });
  onStop(() => graph[Symbol.dispose]());
  return nodeAuthorizer(graph, featureGates);
}

async function webhook(context: AuthorizerContext, { name, webhook: spec }: AuthorizerSpec): Promise<Authorizer> {
  if (spec === undefined) throw new AuthorizationModeError('a webhook is not configured');
  const { openWebhookAuthorizer } = await import('./webhook/open-webhook.ts');
  return await openWebhookAuthorizer(name, spec, context);
}

/** An unknown mode, or a mode without its prerequisites. */
export class AuthorizationModeError extends ConfigError {
  override readonly code = 'AUTHORIZATION_MODE';
}

/** The row of a mode. Throws an AuthorizationModeError. */
export function authorizerRow(mode: string, table: readonly AuthorizerRow[] = authorizerTable): AuthorizerRow {
  const row = table.find((candidate) => candidate.mode === mode);
  if (row === undefined) throw new AuthorizationModeError(`authorization-mode ${goQuote(mode)} is not a valid mode`);
  return row;
}

/** The configured authorizers as one. Throws a ConfigError. */
export async function makeAuthorizer(table: readonly AuthorizerRow[], context: AuthorizerContext): Promise<Authorizer> {
  const { config } = context;
  const metrics = authorizerMetrics(context);
  if (config.configFile === undefined) {
    const [problem] = flagProblems(config);
    if (problem !== undefined) throw new AuthorizationModeError(problem);
    const specs = specsOfFlags(config);
    const make = async (spec: AuthorizerSpec): Promise<Authorizer> =>
      authorizerRow(spec.type, table).make(context, spec);
    const chain = await authorizerChain(specs, make, metrics);
    return config.alwaysAllowPaths.length === 0 ? chain : allowingPaths(config.alwaysAllowPaths, chain);
  }
  const { reloadedAuthorizer } = await import('./configuration/reloaded-authorizer.ts');
  const kept = new Map<string, Promise<Authorizer>>();
  return await reloadedAuthorizer({
    path: config.configFile,
    context,
    serverId: context.serverId,
    types: table.map(({ mode }) => mode),
    isRepeatable: (type) => authorizerRow(type, table).isRepeatable === true,
    chain: (specs, onStop) =>
      authorizerChain(
        specs,
        async (spec) =>
          makeOnce(spec, {
            table,
            context,
            kept,
            onStop,
          }),
        metrics,
      ),
  });
}

/** Authorizers that can exist only once survive a reload. */
function makeOnce(
  spec: AuthorizerSpec,
  {
    table,
    context,
    kept,
    onStop,
  }: {
    readonly table: readonly AuthorizerRow[];
    readonly context: AuthorizerContext;
    readonly kept: Map<string, Promise<Authorizer>>;
    readonly onStop: PartContext['onStop'];
  },
): Promise<Authorizer> {
  const { isRepeatable, make } = authorizerRow(spec.type, table);
  const known = kept.get(spec.type);
  if (known !== undefined) return known;
  const made = Promise.resolve(make(isRepeatable === true ? { ...context, onStop } : context, spec));
  if (isRepeatable !== true) kept.set(spec.type, made);
  return made;
}
