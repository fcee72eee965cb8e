import type { Stage } from '../request/request-context.ts';

/** What pages of allowed origins may send and read; the same for all of them, and for all paths. */
const allowances = {
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true',
};

/**
 * Lets pages of allowed origins use the API from browsers (the CORS protocol of the Fetch standard). Before a browser
 * sends anything unusual, it asks for permission without credentials, so this is answered before authentication.
 */
export function corsStage(allows: (origin: string) => boolean): Stage {
  return {
    name: 'cors',
    run(context) {
      const { exchange } = context;
      const origin = exchange.header('origin');
      if (origin === undefined || origin === '' || !allows(origin)) return;
      context.originHeaders = { 'access-control-allow-origin': origin, ...allowances };
      if (exchange.method !== 'OPTIONS') return;
      exchange.respond(204, context.commonHeaders, '');
      context.isAnswered = true;
    },
  };
}
