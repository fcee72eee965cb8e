import type { Authorizer } from '../api/authorization.ts';
import type { Client } from '../api/client.ts';
import { ConfigError } from '../api/config-error.ts';
import type { PartContext } from '../api/part.ts';
import type { StoredObjects } from '../api/stored-objects.ts';
import { alwaysAllow, alwaysDeny } from './always.ts';
import { privilegedGroup } from './privileged-group.ts';
import type { RbacPolicy } from './rbac/policy.ts';
import { rbacAuthorizer } from './rbac/rbac-authorizer.ts';
import { unionAuthorizer } from './union.ts';

export interface AuthorizationConfig {
  /**
   * Authorizers in the order in which they are asked. `AlwaysAllow` allows the authenticated only; the anonymous may read
   * health, version and readiness.
   */
  readonly modes: readonly string[];
  /** The file of ABAC's policies. */
  readonly policyFile: string | undefined;
}

/** What authorizers are made with. */
export interface AuthorizerContext extends PartContext {
  readonly config: AuthorizationConfig;
  /** What else decides. */
  readonly stored: StoredObjects;
  /** Roles and bindings. */
  readonly policy: RbacPolicy;
  /** Reads and follows everything. */
  readonly client: Client;
  /** Every gate with its state. */
  readonly featureGates: ReadonlyMap<string, boolean>;
}

export interface AuthorizerRow {
  /** As `--authorization-mode` names it. */
  readonly mode: string;
  /** Absent: the reference has it, Binnacle does not. An authorizer that is large is imported here: only what is asked for is loaded. */
  readonly make?: (context: AuthorizerContext) => Authorizer | Promise<Authorizer>;
}

/** Every mode of the reference. */
export const authorizerTable: readonly AuthorizerRow[] = [
  { mode: 'AlwaysAllow', make: () => alwaysAllow },
  { mode: 'AlwaysDeny', make: () => alwaysDeny },
  { mode: 'ABAC', make: abac },
  { mode: 'Node', make: node },
  { mode: 'RBAC', make: ({ policy }) => rbacAuthorizer(policy) },
  { mode: 'Webhook' },
];

/** The file is read once, as the reference reads it. */
async function abac({ config: { policyFile }, readFile }: AuthorizerContext): Promise<Authorizer> {
  if (policyFile === undefined) {
    throw new AuthorizationModeError("authorization-mode ABAC's authorization policy file not passed");
  }
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

/** A mode that is not there. */
export class AuthorizationModeError extends ConfigError {
  override readonly code = 'AUTHORIZATION_MODE';
}

/** The row of a mode. Throws an AuthorizationModeError. */
export function authorizerRow(
  mode: string,
  table: readonly AuthorizerRow[] = authorizerTable,
): Required<AuthorizerRow> {
  const row = table.find((candidate) => candidate.mode === mode);
  if (row === undefined)
    throw new AuthorizationModeError(`authorization-mode ${JSON.stringify(mode)} is not a valid mode`);
  const { make } = row;
  if (make === undefined) throw new AuthorizationModeError(`the mode ${mode} is not built yet`);
  return { mode, make };
}

/** Asks the authorizers that the configuration names. Throws an AuthorizationModeError. */
export async function makeAuthorizer(table: readonly AuthorizerRow[], context: AuthorizerContext): Promise<Authorizer> {
  const rows = context.config.modes.map((mode) => authorizerRow(mode, table));
  const made = await Promise.all(
    rows.map(async ({ mode, make }) => ({ name: mode.toLowerCase(), authorizer: await make(context) })),
  );
  return unionAuthorizer([{ name: 'kubernetes.io/system-privileged-group', authorizer: privilegedGroup }, ...made]);
}
