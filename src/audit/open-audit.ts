import type { AuditSink } from '../api/contracts/audit.ts';
import { ConfigError } from '../api/errors/config-error.ts';
import type { PartContext } from '../api/contracts/part.ts';
import { openReviewWebhook } from '../outgoing/webhooks/review-webhook.ts';
import type { AuditBackendConfig, AuditConfig } from './audit-config.ts';
import type { AuditMetrics } from './audit-metrics.ts';
import type { AuditBackend } from './backends/backend.ts';
import { BatchingBackend } from './backends/batching-backend.ts';
import { type EventFailure, eventFailure } from './backends/failures.ts';
import { logBackend } from './backends/log-backend.ts';
import { all, truncatingBackend } from './backends/truncating-backend.ts';
import { webhookBackend } from './backends/webhook-backend.ts';
import { compilePolicy } from './policy.ts';
import { type AuditPolicy, readAuditPolicy } from './policy-file.ts';
import type { Auditor } from './request-audit.ts';

type AuditContext = Pick<PartContext, 'clock' | 'onError' | 'onStop' | 'readFile' | 'metric' | 'egress'>;

/** Reads the policy and opens the backends. Throws a ConfigError. */
export async function openAudit(
  config: AuditConfig & { readonly policyFile: string },
  context: AuditContext,
  metrics: AuditMetrics,
): Promise<Auditor> {
  const policy = await readPolicyFile(config.policyFile, context);
  const failed = eventFailure(metrics, context.onError);
  const backends = [openLog(config, context, failed), await openWebhook(config, context, failed)];
  const opened = backends.filter((backend) => backend !== undefined);
  for (const backend of opened) context.onStop(() => backend.close());
  return auditorOf(policy, sinkOf(opened), { clock: context.clock, metrics });
}

export function auditorOf(policy: AuditPolicy, sink: AuditSink, parts: Pick<Auditor, 'clock' | 'metrics'>): Auditor {
  return { decide: compilePolicy(policy), sink, ...parts };
}

/** Throws a ConfigError. */
export async function readPolicyFile(path: string, { readFile }: Pick<PartContext, 'readFile'>): Promise<AuditPolicy> {
  const yaml = await readFile(path).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    const text = `loading audit policy file: failed to read file path ${JSON.stringify(path)}: ${reason}`;
    throw new ConfigError(text, { cause: error });
  });
  return await readAuditPolicy(yaml, path);
}

function openLog({ log }: AuditConfig, { clock, onError }: AuditContext, failed: EventFailure) {
  const { path } = log;
  if (path === undefined) return undefined;
  try {
    return wrapped(logBackend({ ...log, path }, { clock, onError, failed }), log, { clock, failed });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`ensureLogFile: ${reason}`, { cause: error });
  }
}

async function openWebhook({ webhook }: AuditConfig, context: AuditContext, failed: EventFailure) {
  const { configFile, initialBackoffMs } = webhook;
  if (configFile === undefined) return undefined;
  const egress = context.egress?.controlplane;
  const opened = await openReviewWebhook({ path: configFile, context, egress }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`initializing audit webhook: ${reason}`, { cause: error });
  });
  const backend = webhookBackend(opened, { initialBackoffMs, failed });
  return wrapped(backend, webhook, { clock: context.clock, failed });
}

function wrapped(
  backend: AuditBackend,
  { mode, batch, truncate }: AuditBackendConfig,
  context: Pick<PartContext, 'clock'> & { readonly failed: EventFailure },
): AuditBackend {
  const moded = inMode(backend, mode, (inner) => new BatchingBackend(inner, batch, context));
  return truncate.enabled ? truncatingBackend(moded, truncate, context.failed) : moded;
}

/** Only the strict mode fails requests. */
function inMode(backend: AuditBackend, mode: string, batching: (backend: AuditBackend) => AuditBackend): AuditBackend {
  if (mode === 'batch') return batching(backend);
  if (mode === 'blocking-strict') return backend;
  return {
    process(events) {
      const stored = backend.process(events);
      return stored instanceof Promise ? stored.then(() => true) : true;
    },
    close: () => backend.close(),
  };
}

function sinkOf(backends: readonly AuditBackend[]): AuditSink {
  const [only, ...others] = backends;
  if (only !== undefined && others.length === 0) return only;
  return { process: (events) => all(backends.map((backend) => backend.process(events))) };
}
