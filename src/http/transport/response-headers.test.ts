import { expect, test } from 'vitest';
import type { Exchange } from './exchange.ts';
import { RequestContext, type RequestServices } from '../request/request-context.ts';

test.each([
  ['', undefined],
  ['max-age=5; preload', 'max-age=5; preload'],
])('every response has %j as Strict-Transport-Security', (transportSecurity, header) => {
  // All that the headers depend on.
  const exchange = { header: () => 'id' } as unknown as Exchange;
  const services = { clock: { now: () => 0 }, kinds: () => ({}), transportSecurity } as unknown as RequestServices;
  const { commonHeaders } = new RequestContext(exchange, services);
  expect(commonHeaders['strict-transport-security']).toBe(header);
  expect(commonHeaders['audit-id']).toBe('id');
});
