import { notBuilt } from '../../api/status-errors.ts';
import type { RequestContext, Stage } from '../request-context.ts';

/** Refuses who asks to act as somebody else: what is done must not be done as himself instead. */
export const impersonationStage: Stage = {
  name: 'impersonation',
  run(context) {
    if (context.exchange.hasHeaderLike('impersonate-') && asksForImpersonation(context))
      throw notBuilt('impersonation');
  },
};

/** An empty user or uid asks for nothing. */
function asksForImpersonation({ exchange }: RequestContext): boolean {
  const named = [exchange.header('impersonate-user'), exchange.header('impersonate-uid')];
  return (
    named.some((value) => value !== undefined && value !== '') ||
    exchange.header('impersonate-group') !== undefined ||
    exchange.hasHeaderLike('impersonate-extra-')
  );
}
