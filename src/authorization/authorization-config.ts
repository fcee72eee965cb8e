import type { AuthorizerSpec, WebhookSpec } from './configuration/authorizer-spec.ts';

export interface AuthorizationConfig {
  /**
   * Authorizers in the order in which they are asked. `AlwaysAllow` allows the authenticated only; the anonymous may read
   * health, version and readiness.
   */
  readonly modes: readonly string[];
  /** The file of ABAC's policies. */
  readonly policyFile: string | undefined;
  /** Of the mode Webhook. */
  readonly webhook: WebhookFlags;
  /** The file of an AuthorizationConfiguration, in place of the modes. */
  readonly configFile: string | undefined;
}

export interface WebhookFlags {
  /** A kubeconfig. */
  readonly configFile: string | undefined;
  readonly version: string;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
}

export const authorizationDefaults: AuthorizationConfig = {
  modes: ['AlwaysAllow'],
  policyFile: undefined,
  webhook: { configFile: undefined, version: 'v1beta1', authorizedTtlMs: 300_000, unauthorizedTtlMs: 30_000 },
  configFile: undefined,
};

/** What a configuration by flags cannot say. */
const flagTimeoutMs = 30_000;

/** The authorizers of flags, as a file would say it. */
export function specsOfFlags({ modes, webhook }: AuthorizationConfig): readonly AuthorizerSpec[] {
  const { configFile = '', version: reviewVersion, authorizedTtlMs, unauthorizedTtlMs } = webhook;
  const spec: WebhookSpec = {
    ...{ authorizedTtlMs, unauthorizedTtlMs, timeoutMs: flagTimeoutMs, reviewVersion },
    failurePolicy: 'NoOpinion',
    kubeconfigFile: configFile,
    matchConditions: [],
  };
  return modes.map((type) =>
    type === 'Webhook' ? { type, name: 'default', webhook: spec } : { type, name: type.toLowerCase() },
  );
}

/** Why these flags make no sense together, in the words of the reference. */
export function flagProblems({ modes, policyFile, webhook }: AuthorizationConfig): readonly string[] {
  const has = (mode: string): boolean => modes.includes(mode);
  const problems: string[] = [];
  if (has('ABAC') && policyFile === undefined)
    problems.push("authorization-mode ABAC's authorization policy file not passed");
  if (has('Webhook') && webhook.configFile === undefined)
    problems.push("authorization-mode Webhook's authorization config file not passed");
  if (!has('ABAC') && policyFile !== undefined)
    problems.push('cannot specify --authorization-policy-file without mode ABAC');
  if (!has('Webhook') && webhook.configFile !== undefined)
    problems.push('cannot specify --authorization-webhook-config-file without mode Webhook');
  return problems;
}
