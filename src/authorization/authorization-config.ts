import type { AuthorizerSpec, WebhookSpec } from './configuration/authorizer-spec.ts';

export interface AuthorizationConfig {
  /**
   * Modes in order. `AlwaysAllow` applies to authenticated users only; without credentials, only health, readiness and
   * version can be read.
   */
  readonly modes: readonly string[];
  /** Policy file of the mode ABAC. */
  readonly policyFile: string | undefined;
  /** For the mode Webhook. */
  readonly webhook: WebhookFlags;
  /** An AuthorizationConfiguration file, instead of modes. */
  readonly configFile: string | undefined;
  /** Paths that everybody may ask for; with an asterisk at their end, all that begin so. */
  readonly alwaysAllowPaths: readonly string[];
}

export interface WebhookFlags {
  /** A kubeconfig. */
  readonly configFile: string | undefined;
  readonly version: string;
  /** Below the server's URL; absent: that URL is the webhook's. */
  readonly apiPath?: string;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
}

export const authorizationDefaults: AuthorizationConfig = {
  modes: ['AlwaysAllow'],
  policyFile: undefined,
  webhook: { configFile: undefined, version: 'v1beta1', authorizedTtlMs: 300_000, unauthorizedTtlMs: 30_000 },
  configFile: undefined,
  alwaysAllowPaths: [],
};

/** An invalid combination of flags. */
const flagTimeoutMs = 30_000;

/** The authorizers configured by flags, in the form of a file. */
export function specsOfFlags({ modes, webhook }: AuthorizationConfig): readonly AuthorizerSpec[] {
  const { configFile = '', version: reviewVersion, authorizedTtlMs, unauthorizedTtlMs, apiPath } = webhook;
  const spec: WebhookSpec = {
    authorizedTtlMs,
    unauthorizedTtlMs,
    timeoutMs: flagTimeoutMs,
    reviewVersion,
    failurePolicy: 'NoOpinion',
    kubeconfigFile: configFile,
    ...(apiPath === undefined ? {} : { apiPath }),
    matchConditions: [],
  };
  return modes.map((type) =>
    type === 'Webhook' ? { type, name: 'default', webhook: spec } : { type, name: type.toLowerCase() },
  );
}

/** Why the combination of flags is invalid, with the reference's texts. */
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
