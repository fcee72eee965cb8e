import { StatusError } from '../../api/errors/status.ts';
import { type AuditedRequest, type Auditor, RequestAudit } from '../../audit/request-audit.ts';
import { internalServerError, PlainFailure } from '../responses/plain-failure.ts';
import type { Outcome, RequestContext, Stage } from '../request/request-context.ts';
import { sourceIps } from '../request/source-ips.ts';
import { attributesOf } from './authorize.ts';

const maxAgentLength = 1_024;

/** Begins the event of a request; requests rejected before the audit stage are audited on response. */
export function beginAuditStage(auditor: Auditor): Stage {
  return {
    name: 'audit-begin',
    run(context) {
      context.audit = new RequestAudit(auditor);
    },
    started(context) {
      const { audit } = context;
      if (audit === undefined || audit.isDecided) return;
      if (!audit.begin(auditedRequest(context, undefined))) return;
      audit.addCode(context.responseCode);
      void audit.process('ResponseStarted');
    },
  };
}

/** Evaluates the policy for an authenticated request, and sends its events. */
export function auditStage({ metrics }: Auditor): Stage {
  return {
    name: 'audit',
    run(context) {
      const { audit } = context;
      if (audit?.begin(auditedRequest(context, context.user)) !== true) {
        context.audit = undefined;
        return;
      }
      // The thread that has begun with it has told.
      if (context.exchange.begun !== undefined) return;
      const stored = audit.process('RequestReceived');
      const check = (isStored: boolean): void => {
        if (isStored) return;
        context.audit = undefined;
        metrics.rejected();
        throw internalServerError(context.exchange, 'failed to store audit event');
      };
      return stored instanceof Promise ? stored.then(check) : check(stored);
    },
    started(context) {
      context.audit?.addCode(context.responseCode);
      if (context.isLongRunning) void context.audit?.process('ResponseStarted');
    },
    end: (context, outcome) => end(context, outcome),
  };
}

function end({ audit }: RequestContext, { code, failure, isHijacked, isLongRunning }: Outcome): void {
  if (audit === undefined) return;
  if (isPanic(code, failure)) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    audit.addStatus({ status: 'Failure', reason: 'InternalError', message: `APIServer panic'd: ${reason}`, code });
    void audit.process('Panic');
    return;
  }
  if (code === 0) {
    audit.addStatus({ status: 'Success', message: 'Connection closed early', code: 200 });
    if (isLongRunning) void audit.process('ResponseStarted');
  } else audit.addCode(isHijacked ? 101 : code);
  void audit.process('ResponseComplete');
}

/** Where kube-apiserver panics: an error that is not a Status. */
function isPanic(code: number, failure: unknown): boolean {
  const isRefusal = failure instanceof StatusError || failure instanceof PlainFailure;
  return code === 500 && failure !== undefined && !isRefusal;
}

function auditedRequest(context: RequestContext, user: AuditedRequest['attributes']['user']): AuditedRequest {
  const { exchange, auditId, receivedMs } = context;
  const agent = exchange.header('user-agent') ?? '';
  return {
    attributes: { ...attributesOf(context), user },
    auditId,
    receivedMs,
    requestUri: exchange.query === '' ? exchange.path : `${exchange.path}?${exchange.query}`,
    sourceIps: sourceIps(exchange),
    userAgent: agent.length > maxAgentLength ? `${agent.slice(0, maxAgentLength)}...TRUNCATED` : agent,
  };
}
