/** One authorizer as flags or a file configure it. */
export interface AuthorizerSpec {
  /** As `--authorization-mode` names it. */
  readonly type: string;
  /** In reasons and metrics. */
  readonly name: string;
  /** Of the type Webhook. */
  readonly webhook?: WebhookSpec;
}

export interface WebhookSpec {
  /** How long answers are kept; 0: they are not. */
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly timeoutMs: number;
  readonly reviewVersion: string;
  /** What counts when there is no answer. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** Absolute path. */
  readonly kubeconfigFile: string;
  /** Expressions that all must hold for the webhook to be asked. */
  readonly matchConditions: readonly string[];
}

export const webhookType = 'Webhook';
