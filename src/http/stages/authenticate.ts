import type { AuditAnnotations } from '../../api/contracts/audit.ts';
import type { Authenticator, Identity } from '../../api/contracts/authentication.ts';
import { joinedErrors } from '../../api/text/error-texts.ts';
import { logSite } from '../../api/contracts/log.ts';
import { StatusError } from '../../api/errors/status.ts';
import { LateRequestError, unauthorized } from '../../api/errors/status-errors.ts';
import { anonymousUser, authenticatedUser, type UserInfo } from '../../api/contracts/user.ts';
import { bearerOf } from '../../authentication/bearer-token.ts';
import { refusalReason } from '../../authentication/token-refusal.ts';
import { inTime } from '../request/in-time.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';

const site = logSite('stages/authenticate.ts');

const misplacedToken = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

export interface AuthenticateOptions {
  /** Unauthenticated clients cannot keep HTTP/2 connections, on which requests are cheap to send (CVE-2023-44487). */
  readonly closesUnauthenticated: boolean;
}

/** Authenticates the request; unknown users get a 401. */
export function authenticateStage(authenticator: Authenticator, { closesUnauthenticated }: AuthenticateOptions): Stage {
  const refused = ({ exchange }: RequestContext): void => {
    if (closesUnauthenticated) exchange.endConnection?.();
  };
  const failed = (context: RequestContext, error: unknown): void => {
    refused(context);
    logRefusal(context, error);
  };
  const authenticated = (context: RequestContext, identity: Identity | undefined): void => {
    if (identity === undefined) throw unauthorized();
    for (const warning of identity.warnings ?? []) context.warnings.add(warning);
    if (context.audit !== undefined) annotate(context.audit, identity);
    context.user = authenticatedUser(identity.user);
    if (isAnonymous(identity.user)) refused(context);
  };
  return {
    name: 'authentication',
    run(context) {
      if (bearerOf(context.exchange).misplaced) context.warnings.add(misplacedToken);
      try {
        const result = authenticator.authenticate(context.exchange);
        if (!(result instanceof Promise)) return authenticated(context, result);
        return inTime(context, result)
          .then((late) => authenticated(context, late))
          .catch((error: unknown) => {
            if (!(error instanceof LateRequestError)) failed(context, error);
            throw error;
          });
      } catch (error) {
        failed(context, error);
        throw error;
      }
    },
  };
}

/** Credentials that were not accepted; clients without any are not reported. Nothing of a token is logged. */
function logRefusal({ exchange, log }: RequestContext, error: unknown): void {
  if (!(error instanceof StatusError)) return;
  const reason = refusalReason(error);
  const isToken = bearerOf(exchange).presented !== undefined;
  const general = isToken ? 'invalid bearer token' : 'invalid client certificate';
  const err = joinedErrors([general, ...(reason === undefined ? [] : [reason])]);
  log.write({ site, severity: 'error', message: 'Unable to authenticate the request', values: { err } });
}

function annotate(audit: AuditAnnotations, { annotations = {} }: Identity): void {
  for (const [key, value] of Object.entries(annotations)) audit.annotate(key, () => value);
}

function isAnonymous({ name, groups }: UserInfo): boolean {
  return name === anonymousUser.name || groups.includes('system:unauthenticated');
}
