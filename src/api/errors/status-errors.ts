import { type FieldError, fieldErrorCause, causeText } from './field-error.ts';
import { goQuote } from '../go/go-quote.ts';
import { formatGroupResource, type GroupResource } from '../meta/group-version.ts';
import type { Int64 } from '../values/int64.ts';
import { StatusError } from './status.ts';

// One factory per reason; messages, codes and details are those that clients match on.

function resourceDetails(
  { group, resource }: GroupResource,
  name: string,
): { group: string; kind: string; name: string } {
  return { name, group, kind: resource };
}

export function notFound(resource: GroupResource, name: string): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: `${formatGroupResource(resource)} ${goQuote(name)} not found`,
    details: resourceDetails(resource, name),
  });
}

/** A path without a handler: the reference's answer names no resource. */
export function pathNotFound(): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
}

export function alreadyExists(resource: GroupResource, name: string): StatusError {
  return new StatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${formatGroupResource(resource)} ${goQuote(name)} already exists`,
    details: resourceDetails(resource, name),
  });
}

export function generateNameConflict(resource: GroupResource, name: string): StatusError {
  return new StatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${formatGroupResource(resource)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`,
    details: { ...resourceDetails(resource, name), retryAfterSeconds: 1 },
  });
}

export function conflict(resource: GroupResource, name: string, why: string): StatusError {
  return new StatusError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${goQuote(name)}: ${why}`,
    details: resourceDetails(resource, name),
  });
}

export function invalid(
  kind: { group: string; kind: string },
  name: string,
  errors: readonly FieldError[],
  { isCut = false }: { readonly isCut?: boolean } = {},
): StatusError {
  const qualified = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const causes = errors.map(fieldErrorCause);
  const texts = [...new Set(causes.map(causeText)), ...(isCut ? ['and more errors, which are not listed'] : [])];
  const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: `${qualified} ${goQuote(name)} is invalid${errors.length === 0 ? '' : `: ${all}`}`,
    details: { name, group: kind.group, kind: kind.kind, causes },
  });
}

export function badRequest(message: string): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message });
}

export function unauthorized(): StatusError {
  return new StatusError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
}

export function forbidden(resource: GroupResource, name: string, why: string): StatusError {
  const subject = resource.group === '' && resource.resource === '' ? '' : formatGroupResource(resource);
  const prefix =
    subject === '' ? 'forbidden' : name === '' ? `${subject} is forbidden` : `${subject} ${goQuote(name)} is forbidden`;
  return new StatusError({
    code: 403,
    reason: 'Forbidden',
    message: `${prefix}: ${why}`,
    details: resourceDetails(resource, name),
  });
}

export function methodNotSupported(resource: GroupResource, action: string): StatusError {
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${action} is not supported on resources of kind ${goQuote(formatGroupResource(resource))}`,
    details: { group: resource.group, kind: resource.resource },
  });
}

/** A path that does not support the HTTP method. */
export function methodNotAllowed(): StatusError {
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}

export function notAcceptable(accepted: readonly string[]): StatusError {
  return new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: `only the following media types are accepted: ${accepted.join(', ')}`,
  });
}

/** The client accepts none of the route's media types. */
export function noSuchRepresentation(available: readonly string[]): StatusError {
  return new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`,
    details: {},
  });
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  return new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  });
}

export function gone(message: string): StatusError {
  return new StatusError({ code: 410, reason: 'Gone', message });
}

export function resourceExpired(message: string): StatusError {
  return new StatusError({ code: 410, reason: 'Expired', message });
}

export function requestEntityTooLarge(message: string): StatusError {
  return new StatusError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: ${message}`,
  });
}

export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError({ code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds } });
}

export function timeout(message: string, retryAfterSeconds = 0): StatusError {
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: ${message}`,
    details: { retryAfterSeconds },
  });
}

/**
 * The time of a request is over. The server itself says so, whatever it was doing: in plain text, with a Status that
 * does not say what it is, which clients take for any 504.
 */
export class LateRequestError extends StatusError {
  override readonly code = 'STATUS';

  constructor(options?: ErrorOptions) {
    super(timeout('request did not complete within the allotted timeout').status, options);
  }
}

/** The requested resource version is still in the future. */
export function tooLargeResourceVersion(requested: Int64, current: number, retryAfterSeconds = 1): StatusError {
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${requested}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds,
    },
  });
}

export function serverTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): StatusError {
  return new StatusError({
    code: 500,
    reason: 'ServerTimeout',
    message: `The ${operation} operation against ${formatGroupResource(resource)} could not be completed at this time, please try again.`,
    details: { ...resourceDetails(resource, operation), retryAfterSeconds },
  });
}

export function serviceUnavailable(message: string): StatusError {
  return new StatusError({ code: 503, reason: 'ServiceUnavailable', message });
}

export function internalError(message: string, options?: ErrorOptions): StatusError {
  return new StatusError(
    {
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${message}`,
      details: { causes: [{ message }] },
    },
    options,
  );
}

/** 500 with nothing but a message, as for errors that the reference does not expect. */
export function plainError(message: string): StatusError {
  return new StatusError({ code: 500, reason: '', message });
}

/** 501 in one form for everything that is not built yet. */
export function notBuilt(what: string): StatusError {
  return new StatusError({ code: 501, reason: '', message: `${what} is not implemented in this release of Binnacle` });
}
