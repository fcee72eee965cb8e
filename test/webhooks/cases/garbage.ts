import type { JsonObject } from '../../../src/api/json/json.ts';
import { allowed, rules, validating, type WebhookCase } from '../case-parts.ts';
import type { HookResponse } from '../hook-server.ts';

const answerOf = (response: JsonObject): HookResponse => ({ response: { allowed: true, ...response } });

/** Answers that are garbage, of the wrong types, of other codes, or incomplete. */
export const garbageCases: readonly WebhookCase[] = [
  ...[
    '',
    ' ',
    'null',
    '7',
    '"text"',
    'true',
    '[]',
    '{',
    '{"kind":',
    '{} {}',
    '<html></html>',
    'a: b',
    '\u0000\u0001',
    '{"kind":7}',
  ].map((body) => validating(`the body ${JSON.stringify(body)}`, { body })),
  ...[201, 202, 204, 300, 304, 400, 401, 405, 406, 410, 422, 429, 500, 502, 504].map((code) =>
    validating(`the code ${code}`, { code, body: code === 204 || code === 304 ? '' : 'words' }),
  ),
  ...[302, 303, 307, 308].map((code) =>
    validating(`a loop of redirections, ${code}`, { code, body: '', headers: { location: '?again' } }),
  ),
  validating('a redirection to nowhere', { code: 307, body: '' }),
  ...[
    { allowed: 'yes' },
    { allowed: 1 },
    { allowed: null },
    { uid: 7 },
    { uid: '' },
    { status: 'x' },
    { status: { code: 'x' } },
    { status: { message: 7 } },
    { warnings: {} },
    { warnings: [7] },
    { warnings: ['', ' ', 'two\nlines', 'é'] },
    { warnings: ['w'.repeat(300)] },
    { auditAnnotations: { a: 'b' } },
    { auditAnnotations: { a: 7 } },
    { patch: 7 },
    { patch: '***' },
    { patchType: 7 },
    { patchType: '' },
    { unknown: 1 },
  ].map((response) =>
    validating(`the response ${JSON.stringify(response).slice(0, 60)}`, answerOf(response as JsonObject)),
  ),
  ...[0, 1, 199, 200, 299, 302, 400, 404, 409, 429, 499, 500, 599, -1].map((code) =>
    validating(`denied with the code ${code}`, { response: { allowed: false, status: { code, message: 'm' } } }),
  ),
  ...['NotFound', 'Conflict', 'Invalid', 'Whatever', ''].map((reason) =>
    validating(`denied with the reason ${reason}`, { response: { allowed: false, status: { reason, message: 'm' } } }),
  ),
  ...(['half', 'drip'] as const).flatMap((nothing) =>
    ['Fail', 'Ignore'].map((failurePolicy) =>
      validating(`${nothing}, ${failurePolicy}`, { nothing }, { failurePolicy, timeoutSeconds: 1 }),
    ),
  ),
  {
    name: 'a connection',
    hooks: [
      { type: 'mutating', fields: { ...rules(['pods/exec']), objectSelector: {} }, answer: allowed },
      {
        type: 'validating',
        fields: rules(['pods/exec']),
        answer: { response: { allowed: false, status: { message: 'no' } } },
      },
    ],
    steps: [
      {
        method: 'POST',
        path: 'pods',
        body: {
          kind: 'Pod',
          apiVersion: 'v1',
          metadata: { name: 'one' },
          spec: { containers: [{ name: 'a', image: 'b' }] },
        },
      },
      { method: 'POST', path: 'pods/one/exec?command=ls&command=-l&stdout=true' },
    ],
  },
];

/** Errors of more than clients are shown. */
export const longErrorCases: readonly WebhookCase[] = [
  ...[401, 403, 415, 500, 599].map((code) =>
    validating(`a long error, ${code}`, { code, body: `${' '.repeat(10)}${'é2"4567890'.repeat(300)}` }),
  ),
  validating('a long error that is a Status', {
    code: 409,
    body: JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'long '.repeat(1_000) }),
  }),
];
