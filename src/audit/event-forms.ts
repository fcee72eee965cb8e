import type { AuditedObject, AuditEvent } from '../api/contracts/audit.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { encodeRaw, quoteJson, sortedKeys } from '../api/json/json-text.ts';
import type { JsonObject, JsonValue } from '../api/json/json.ts';
import { type Status, statusObject } from '../api/errors/status.ts';
import { formatMicroTime, timeOf } from '../api/time/time.ts';
import type { UserInfo } from '../api/contracts/user.ts';
import { auditVersion } from './audit-config.ts';

/** An event as a line of JSON. */
export function eventLine(event: AuditEvent): Buffer {
  return Buffer.concat([...eventPieces(event), Buffer.from('\n')]);
}

/** The body sent to a webhook. */
export function eventList(events: readonly AuditEvent[]): Buffer {
  const pieces: Uint8Array[] = [];
  let before = `{"kind":"EventList","apiVersion":${quoteJson(auditVersion)},"metadata":{},"items":[`;
  for (const event of events) {
    pieces.push(Buffer.from(before), ...eventPieces(event, { isItem: true }));
    before = ',';
  }
  return Buffer.concat([...pieces, Buffer.from(']}\n')]);
}

/** JSON in pieces, as objects may be large; items of lists have no kind of their own. */
function eventPieces(event: AuditEvent, { isItem = false } = {}): readonly Uint8Array[] {
  return [
    Buffer.from(
      objectText({ ...(isItem ? {} : { kind: 'Event', apiVersion: auditVersion }), ...headOf(event) }).slice(0, -1),
    ),
    ...fieldPieces('requestObject', event.requestObject),
    ...fieldPieces('responseObject', event.responseObject),
    Buffer.from(`,${objectText(tailOf(event)).slice(1)}`),
  ];
}

interface Fields {
  readonly [name: string]: JsonValue | undefined;
}

function objectText(fields: Fields): string {
  return encodeRaw(fields as JsonObject); // which omits undefined ones
}

function fieldPieces(name: string, json: Uint8Array | undefined): readonly Uint8Array[] {
  return json === undefined ? [] : [Buffer.from(`,"${name}":`), json];
}

/** The fields before the objects. */
function headOf(event: AuditEvent): Fields {
  const { impersonationConstraint, user, impersonatedUser, sourceIps, userAgent } = event;
  return {
    level: event.level,
    auditID: event.auditId,
    stage: event.stage,
    requestURI: event.requestUri,
    verb: event.verb,
    user: user === undefined ? {} : userObject(user),
    impersonatedUser: impersonatedUser && userObject(impersonatedUser),
    authenticationMetadata: impersonationConstraint === '' ? undefined : { impersonationConstraint },
    sourceIPs: sourceIps.length === 0 ? undefined : [...sourceIps],
    userAgent: userAgent === '' ? undefined : userAgent,
    objectRef: event.objectRef && objectRef(event.objectRef),
    responseStatus: event.responseStatus && statusOf(event.responseStatus),
  };
}

/** The fields after them. */
function tailOf({ receivedMs, stageMs, annotations }: AuditEvent): Fields {
  const named = Object.fromEntries(annotations);
  return {
    requestReceivedTimestamp: formatMicroTime(timeOf(receivedMs)),
    stageTimestamp: formatMicroTime(timeOf(stageMs)),
    annotations:
      annotations.size === 0 ? undefined : Object.fromEntries(sortedKeys(named).map((key) => [key, named[key] ?? ''])),
  };
}

/** One line for people. */
export function eventText(event: AuditEvent): string {
  const { user, impersonatedUser, objectRef: ref, responseStatus, sourceIps } = event;
  const groupsOf = (groups: readonly string[], otherwise: string): string =>
    groups.length === 0 ? otherwise : groups.map(goQuote).join(',');
  const name = user?.name ?? '';
  const namespace = ref?.namespace ?? '';
  const shown = {
    id: event.auditId,
    stage: event.stage,
    ip: sourceIps[0] ?? '<unknown>',
    method: event.verb,
    user: name === '' ? '<none>' : name,
    groups: name === '' ? '<none>' : groupsOf(user?.groups ?? [], '<none>'),
    as: impersonatedUser?.name ?? '<self>',
    asgroups: impersonatedUser === undefined ? '<lookup>' : groupsOf(impersonatedUser.groups, '<lookup>'),
    'user-agent': event.userAgent,
    namespace: namespace === '' ? '<none>' : namespace,
    uri: event.requestUri,
  };
  const fields = Object.entries(shown).map(([field, text]) => `${field}=${goQuote(text)}`);
  const code = responseStatus === undefined ? '<deferred>' : String(responseStatus.code ?? 0);
  return `${nanoTime(event.receivedMs)} AUDIT: ${fields.join(' ')} response="${code}"`;
}

/** Without the zeros at the end of the fraction. */
function nanoTime(ms: number): string {
  return formatMicroTime(timeOf(ms)).replace(/\.?0{1,6}Z$/, 'Z');
}

function userObject({ name, uid, groups, extra }: UserInfo): JsonObject {
  const keys = sortedKeys(extra);
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(keys.length === 0 ? {} : { extra: Object.fromEntries(keys.map((key) => [key, [...(extra[key] ?? [])]])) }),
  };
}

const refFields = [
  'resource',
  'namespace',
  'name',
  'uid',
  'apiGroup',
  'apiVersion',
  'resourceVersion',
  'subresource',
] as readonly (keyof AuditedObject)[];

function objectRef(ref: AuditedObject): JsonObject {
  return Object.fromEntries(refFields.filter((field) => ref[field] !== '').map((field) => [field, ref[field]]));
}

/** The Status without its kind, and without what lists continue with. */
function statusOf(status: Partial<Status>): JsonObject {
  const { continue: _continue, ...rest } = status;
  const whole = { code: 0, ...rest };
  // Absent fields are omitted.
  const { kind: _kind, apiVersion: _apiVersion, ...shown } = statusObject(whole as Status);
  return shown;
}
