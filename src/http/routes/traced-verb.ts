import { currentSpan, enterSpan } from '../../api/contracts/span.ts';
import type { ResourceRequest, VerbHandler } from '../request/resource-request.ts';
import { isApply, requestAttributes } from '../request/request-attributes.ts';
import type { VerbRow } from '../verbs/verb-table.ts';

/** Serves a request as a step of its trace. A step that fails lasts until the failure has been answered. */
export async function servedInTrace(verb: VerbRow, request: ResourceRequest, serve: VerbHandler): Promise<void> {
  const { context } = request;
  const name = verb.title ?? (context.query.get('sendInitialEvents') === 'true' ? 'WatchList' : undefined);
  const step =
    name === undefined
      ? undefined
      : currentSpan()?.child(name, requestAttributes(context, isApply(context.exchange) ? 'APPLY' : verb.metric));
  if (step === undefined) return serve(request);
  if (context.trace !== undefined) context.trace.step = step;
  enterSpan(step);
  await serve(request);
  step.end();
  if (context.trace !== undefined) context.trace.step = undefined;
}
