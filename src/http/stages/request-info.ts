import { parseRequestInfo } from '../request-info.ts';
import type { Stage } from '../request-context.ts';

/** Reads method, path and query. */
export const requestInfoStage: Stage = {
  name: 'request-info',
  run(context) {
    context.info = parseRequestInfo(context.exchange.method, context.exchange.path, context.query);
  },
};
