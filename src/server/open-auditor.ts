import type { PartContext } from '../api/contracts/part.ts';
import { AuditMetrics } from '../audit/audit-metrics.ts';
import type { Auditor } from '../audit/request-audit.ts';
import type { ServerConfig } from './config.ts';
import type { SharedParts } from './threads/shared-parts.ts';

/** The auditor of requests; undefined if audit is not configured. Throws a ConfigError. */
export async function openAuditor(
  { audit }: ServerConfig,
  context: PartContext,
  { auditSink }: Pick<SharedParts, 'auditSink'>,
): Promise<Auditor | undefined> {
  const metrics = new AuditMetrics(context);
  const { policyFile, log, webhook } = audit;
  if (policyFile === undefined) return undefined;
  const { auditorOf, openAudit, readPolicyFile } = await import('../audit/open-audit.ts');
  // The policy must be valid even without a backend.
  if (log.path === undefined && webhook.configFile === undefined) {
    await readPolicyFile(policyFile, context);
    return undefined;
  }
  if (auditSink !== undefined) {
    context.onStop(() => auditSink.close());
    return auditorOf(await readPolicyFile(policyFile, context), auditSink, { clock: context.clock, metrics });
  }
  return await openAudit({ ...audit, policyFile }, context, metrics);
}
