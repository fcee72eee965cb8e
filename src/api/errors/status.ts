import type { JsonObject, JsonValue } from '../json/json.ts';

/** Machine-readable `reason` of a Status (meta/v1 StatusReason). */
export type StatusReason =
  | ''
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Invalid'
  | 'ServerTimeout'
  | 'StorageReadError'
  | 'Timeout'
  | 'TooManyRequests'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'Expired'
  | 'ServiceUnavailable';

/** One entry of `details.causes`. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** `details` of a Status. `kind` is the resource for reasons that concern one, as clients expect. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** meta/v1 Status without kind, apiVersion and empty metadata. */
export interface Status {
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  /** `metadata.continue`: an expired list that can continue inconsistently offers a token. */
  readonly continue?: string;
  /** `metadata.resourceVersion` and `metadata.remainingItemCount`, which only webhooks give. */
  readonly resourceVersion?: string;
  readonly remainingItemCount?: number;
  /** Omitted when 0. */
  readonly code: number;
}

/** The wire form of a Status, in the reference's field order. */
export function statusObject(status: Status): JsonObject {
  const { message, reason, details, code, resourceVersion, continue: next, remainingItemCount } = status;
  return present({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: present({ resourceVersion, continue: next, remainingItemCount }),
    status: status.status,
    message,
    reason,
    details: details && detailsObject(details),
    code,
  });
}

function detailsObject({ name, group, kind, uid, causes = [], retryAfterSeconds }: StatusDetails): JsonObject {
  const shown = causes.map(causeObject);
  return present({ name, group, kind, uid, causes: shown.length === 0 ? undefined : shown, retryAfterSeconds });
}

/** There may be thousands. */
function causeObject({ reason, message, field }: StatusCause): JsonObject {
  const object: JsonObject = {};
  if (reason) object['reason'] = reason;
  if (message) object['message'] = message;
  if (field) object['field'] = field;
  return object;
}

/** Drops undefined, empty and zero values. */
function present(fields: { readonly [name: string]: JsonValue | undefined }): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== '' && value !== 0) object[name] = value;
  }
  return object;
}

/** What every layer above storage throws for a failed request; `http/` writes its `status`. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly code = 'STATUS';
  readonly status: Status;

  constructor(status: Omit<Status, 'status'>, options?: ErrorOptions) {
    super(status.message, options);
    this.status = { status: 'Failure', ...status };
  }
}

/** Whether an error is a Status with this reason. */
export function isReason(error: unknown, reason: StatusReason): boolean {
  return error instanceof StatusError && error.status.reason === reason;
}

/** Whether a failure is a Status with a cause of this reason. */
function hasCause(error: unknown, reason: string): boolean {
  return error instanceof StatusError && (error.status.details?.causes ?? []).some((cause) => cause.reason === reason);
}

/** Whether a create failed because the namespace is being deleted, or is gone. */
export function lacksNamespace(error: unknown): boolean {
  if (hasCause(error, 'NamespaceTerminating')) return true;
  return isReason(error, 'NotFound') && error instanceof StatusError && error.status.details?.kind === 'namespaces';
}
