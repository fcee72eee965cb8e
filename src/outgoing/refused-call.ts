import { goQuote } from '../api/go/go-quote.ts';
import { isJsonObject, type JsonValue } from '../api/json/json.ts';
import { StatusError, type StatusReason } from '../api/errors/status.ts';
import { BodyLimitError } from '../codec/body-limits.ts';
import { parseJson } from '../codec/json.ts';
import { JsonSyntaxError } from '../codec/json-syntax.ts';
import type { CallResponse } from './http-call.ts';

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

/** Longer bodies are cut off in messages, as in the reference. */
const maxShownBytes = 2048;

/** The error in an unsuccessful response; undefined for success. A Status body is used as it is. */
export function refusalOf({ status, header, body }: CallResponse): StatusError | undefined {
  if ((status >= 200 && status < 300) || status === 101) return undefined;
  const given = statusOf(readAnyJson(body));
  if (given !== undefined) return given;
  const retryAfterSeconds = Number(header('retry-after')) || 0;
  const text = isText(header) ? shownText(body) : 'unknown';
  return new StatusError({ code: status, ...refusalWords(status, text), details: { retryAfterSeconds } });
}

/** The error in an event of a watch. */
export function refusalOfEvent(object: JsonValue): StatusError {
  const words = refusalWords(500, shownText(Buffer.from(JSON.stringify(object))));
  return statusOf(object) ?? new StatusError({ code: 500, ...words, details: { retryAfterSeconds: 0 } });
}

function shownText(body: Buffer): string {
  return body.toString('utf8', 0, maxShownBytes).trim();
}

/** The reason and message of an HTTP status; some include the body. */
export function refusalWords(code: number, body: string): { readonly reason: StatusReason; readonly message: string } {
  const [reason, message] = refusals.get(code) ?? unknownRefusal(code);
  return { reason, message: typeof message === 'string' ? message : message(body) };
}

/** Bodies of other types are not shown. */
function isText(header: CallResponse['header']): boolean {
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

/** Undefined if it is not JSON: few servers send errors in JSON. */
function readAnyJson(body: Buffer): JsonValue | undefined {
  try {
    return parseJson(body).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof BodyLimitError) return undefined;
    throw error;
  }
}

function statusOf(value: JsonValue | undefined): StatusError | undefined {
  if (value === undefined || !isJsonObject(value) || value['kind'] !== 'Status') return undefined;
  if (value['apiVersion'] !== 'v1' || value['status'] !== 'Failure') return undefined;
  const { message = '', reason = '', code = 0, details = {} } = value;
  // All fields are only compared with known values or printed.
  return new StatusError({ status: 'Failure', message, reason, code, details } as unknown as StatusError['status']);
}
