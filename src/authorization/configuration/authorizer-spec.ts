/** One authorizer as configured by flags or a file. */
export interface AuthorizerSpec {
  /** As `--authorization-mode` names it. */
  readonly type: string;
  /** Name in reasons and metrics. */
  readonly name: string;
  /** For the type Webhook. */
  readonly webhook?: WebhookSpec;
}

export interface WebhookSpec {
  /** How long answers are cached; 0: not at all. */
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly timeoutMs: number;
  readonly reviewVersion: string;
  /** The decision when the webhook fails. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** Absolute path. */
  readonly kubeconfigFile: string;
  /** Below the server's URL; absent: that URL is the webhook's. */
  readonly apiPath?: string;
  /** Match conditions: the webhook is asked only if all hold. */
  readonly matchConditions: readonly string[];
}

export const webhookType = 'Webhook';
