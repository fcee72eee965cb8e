import type { Impersonation } from '../../authorization/impersonation/impersonation.ts';
import { wantedUser } from '../../authorization/impersonation/wanted-user.ts';
import { inTime } from '../request/in-time.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';
import { attributesOf } from './authorize.ts';

/** Replaces the user if the client asks to impersonate another one and may; later stages see only that user. */
export function impersonationStage(impersonation: Impersonation): Stage {
  return {
    name: 'impersonation',
    run(context) {
      if (context.exchange.hasHeaderLike('impersonate-')) return impersonate(context, impersonation);
    },
  };
}

async function impersonate(context: RequestContext, impersonation: Impersonation): Promise<void> {
  context.isUnsniffable = true;
  const wanted = wantedUser(context.exchange);
  if (wanted !== undefined) {
    const { user, constraint } = await inTime(context, impersonation.impersonate(attributesOf(context), wanted));
    context.impersonator = context.user;
    context.user = user;
    context.audit?.impersonates(user, constraint);
  }
  context.isUnsniffable = false;
}
