import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import { respondText } from '../responses/respond.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { PathHandler } from './non-resource-routes.ts';

const folder = '/debug/api_priority_and_fairness';

/** Pages about the state of flow control. The index does not list them. */
export function flowControlPages(flowControl: FlowControl | undefined): readonly (readonly [string, PathHandler])[] {
  if (flowControl === undefined) return [];
  const { pages } = flowControl;
  const page =
    (textOf: (context: RequestContext) => Promise<string>): PathHandler =>
    async (context) =>
      respondText(context, 200, await textOf(context), { sniff: true });
  const withDetails = 'includeRequestDetails';
  return [
    [`${folder}/dump_priority_levels`, page(() => pages.dump_priority_levels())],
    [`${folder}/dump_queues`, page(() => pages.dump_queues())],
    [`${folder}/dump_requests`, page(({ query }) => pages.dump_requests((query.get(withDetails) ?? '') !== ''))],
  ];
}
