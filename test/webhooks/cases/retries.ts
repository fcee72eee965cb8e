import { allowed, mutating, patchOf, setData, validating, type WebhookCase } from '../case-parts.ts';
import type { HookResponse, Review } from '../hook-server.ts';

const busy = (code: number, after?: string, body: unknown = 'busy'): HookResponse => ({
  code,
  body,
  ...(after === undefined ? {} : { headers: { 'retry-after': after } }),
});
/** Allows the write after some calls. */
const after =
  (failures: number, answer: HookResponse, last: HookResponse = allowed) =>
  (_: Review, calls: number): HookResponse =>
    calls > failures ? last : answer;
const status = (code: number, reason: string, retryAfterSeconds: number): unknown => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  reason,
  message: 'in a Status',
  details: { retryAfterSeconds },
});

/** Answers that ask for another call. */
export const retryCases: readonly WebhookCase[] = [
  ...[
    ['429, now', 429, '0'],
    ['429, in a second', 429, '1'],
    ['500, now', 500, '0'],
    ['502, now', 502, '0'],
    ['503, in a second', 503, '1'],
    ['504, now', 504, '0'],
    ['599, now', 599, '0'],
    ['a negative time', 429, '-1'],
    ['a time that is none', 429, 'soon'],
    ['a date', 429, 'Wed, 21 Oct 2015 07:28:00 GMT'],
    ['a fraction', 429, '0.5'],
    ['a signed time', 429, '+0'],
    ['a time with spaces', 429, ' 0 '],
    ['an empty time', 429, ''],
    ['408, now', 408, '0'],
    ['404, now', 404, '0'],
    ['409, now', 409, '0'],
    ['200, now', 200, '0'],
    ['201, now', 201, '0'],
  ].map(([name, code, time]) =>
    validating(`asks for another call: ${name}`, after(1, busy(Number(code), String(time)))),
  ),
  validating('asks for another call: without a time', after(1, busy(429))),
  validating(
    'asks for another call: in a Status only',
    after(1, busy(429, undefined, status(429, 'TooManyRequests', 1))),
  ),
  validating('asks for another call: in a Status too', after(1, busy(429, '0', status(429, 'TooManyRequests', 7)))),
  validating('asks for another call: always', busy(429, '0')),
  validating('asks for another call: always, 503', busy(503, '0')),
  validating('asks for another call: always, Ignore', busy(429, '0'), { failurePolicy: 'Ignore' }),
  validating('asks for another call: always, with a Status', busy(429, '0', status(429, 'TooManyRequests', 3))),
  validating('asks for another call: later than the timeout', busy(429, '2'), { timeoutSeconds: 1 }),
  validating('asks for another call: later than the timeout, Ignore', busy(503, '2'), {
    failurePolicy: 'Ignore',
    timeoutSeconds: 1,
  }),
  validating('asks for another call: then says no', after(2, busy(429, '0'), { response: { allowed: false } })),
  validating('asks for another call: then fails', after(2, busy(429, '0'), { code: 500, body: 'oh no' })),
  validating('asks for another call: then cuts the connection', after(1, busy(429, '0'), { nothing: 'cut' })),
  validating('asks for another call: then is silent', after(1, busy(429, '0'), { nothing: 'silence' }), {
    timeoutSeconds: 1,
  }),
  validating('asks for another call: then redirects', after(1, busy(429, '0'), { code: 307, body: '' })),
  mutating('asks for another call: a patch', after(3, busy(500, '0'), patchOf(setData('b', '2')))),
  validating('cuts the first connection', after(1, { nothing: 'cut' })),
  // Redirections.
  ...[301, 302, 303, 307, 308].map((code) =>
    validating(`a redirection that ends, ${code}`, after(1, { code, body: '', headers: { location: '?second' } })),
  ),
  ...[
    ['to a relative path', '0?second'],
    ['to nothing', ''],
    ['to another scheme', 'ftp://127.0.0.1/x'],
    ['to a fragment', '#second'],
    ['without HTTPS', 'http://127.0.0.1:1/'],
  ].map(([name, location]) =>
    validating(`a redirection ${name}`, after(1, { code: 307, body: '', headers: { location: location ?? '' } })),
  ),
];
