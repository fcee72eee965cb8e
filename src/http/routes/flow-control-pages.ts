import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import { respondText } from '../answers/respond.ts';
import type { PathHandler } from './non-resource-routes.ts';

const folder = '/debug/api_priority_and_fairness';

/** Pages about the state of flow control. The index does not list them. */
export function flowControlPages(flowControl: FlowControl | undefined): readonly (readonly [string, PathHandler])[] {
  if (flowControl === undefined) return [];
  const { pages } = flowControl;
  const withDetails = 'includeRequestDetails';
  return [
    [
      `${folder}/dump_priority_levels`,
      (context) => respondText(context, 200, pages.dump_priority_levels(), { sniff: true }),
    ],
    [`${folder}/dump_queues`, (context) => respondText(context, 200, pages.dump_queues(), { sniff: true })],
    [
      `${folder}/dump_requests`,
      (context) => {
        const details = (context.query.get(withDetails) ?? '') !== '';
        respondText(context, 200, pages.dump_requests(details), { sniff: true });
      },
    ],
  ];
}
