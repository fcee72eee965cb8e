import { goQuote } from '../api/go-quote.ts';
import { isJsonObject, type JsonValue } from '../api/json.ts';
import { StatusError, type StatusReason } from '../api/status.ts';
import type { CallAnswer } from './http-call.ts';

type Row = readonly [reason: StatusReason, message: string | ((body: string) => string)];

const own = (body: string): string => body;

/** Reasons and messages that the reference derives from an HTTP status without a Status body. */
const refusals: ReadonlyMap<number, Row> = new Map<number, Row>([
  [400, ['BadRequest', 'the server rejected our request for an unknown reason']],
  [401, ['Unauthorized', 'the server has asked for the client to provide credentials']],
  [403, ['Forbidden', own]],
  [404, ['NotFound', 'the server could not find the requested resource']],
  [405, ['MethodNotAllowed', 'the server does not allow this method on the requested resource']],
  [406, ['NotAcceptable', own]],
  [409, ['AlreadyExists', 'the server reported a conflict']],
  [415, ['UnsupportedMediaType', own]],
  [422, ['Invalid', 'the server rejected our request due to an error in our request']],
  [429, ['TooManyRequests', 'the server has received too many requests and has asked us to try again later']],
  [503, ['ServiceUnavailable', 'the server is currently unable to handle the request']],
  [
    504,
    [
      'Timeout',
      'the server was unable to return a response in the time allotted, but may still be processing the request',
    ],
  ],
]);

/** The error in an unsuccessful response; undefined for success. A Status body is used as it is. */
export function refusalOf({ status: code, header, body }: CallAnswer): StatusError | undefined {
  if ((code >= 200 && code < 300) || code === 101) return undefined;
  const text = body.toString();
  const status = statusOf(text);
  if (status !== undefined) return new StatusError(status);
  const retryAfterSeconds = Number(header('retry-after')) || 0;
  const words = refusalWords(code, isText(header) ? text.trim() : 'unknown');
  return new StatusError({ code, ...words, details: { retryAfterSeconds } });
}

/** The reason and message of an HTTP status; some include the body. */
export function refusalWords(code: number, body: string): { readonly reason: StatusReason; readonly message: string } {
  const [reason, message] = refusals.get(code) ?? unknownRefusal(code);
  return { reason, message: typeof message === 'string' ? message : message(body) };
}

/** Bodies of other types are not shown. */
function isText(header: CallAnswer['header']): boolean {
  const type = header('content-type') ?? '';
  return type === '' || type.startsWith('text/');
}

function unknownRefusal(code: number): Row {
  if (code < 500) {
    return ['', `the server responded with the status code ${code} but did not return more information`];
  }
  return [
    'InternalError',
    (body) => `an error on the server (${goQuote(body)}) has prevented the request from succeeding`,
  ];
}

function statusOf(text: string): StatusError['status'] | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // Few servers send errors in JSON.
  }
  if (!isJsonObject(value) || value['kind'] !== 'Status' || value['apiVersion'] !== 'v1') return undefined;
  if (value['status'] !== 'Failure') return undefined;
  const { message = '', reason = '', code = 0, details = {} } = value;
  // All fields are only compared with known values or printed.
  return { status: 'Failure', message, reason, code, details } as unknown as StatusError['status'];
}
