import type { AuditedObject, AuditEvent } from '../api/audit.ts';
import { goQuote } from '../api/go-quote.ts';
import { encodeRaw, quoteJson, sortedKeys } from '../api/json-text.ts';
import type { JsonObject } from '../api/json.ts';
import { type Status, statusObject } from '../api/status.ts';
import { formatMicroTime, timeOf } from '../api/time.ts';
import type { UserInfo } from '../api/user.ts';
import { auditVersion } from './audit-config.ts';

/** An event as JSON; items of lists have no kind of their own. */
export function eventJson(event: AuditEvent, { isItem = false } = {}): string {
  const parts = isItem ? [] : [`"kind":"Event"`, `"apiVersion":${quoteJson(auditVersion)}`];
  const { requestObject, responseObject, annotations } = event;
  const add = (name: string, value: JsonObject[string] | undefined): void => {
    if (value !== undefined) parts.push(`"${name}":${encodeRaw(value)}`);
  };
  add('level', event.level);
  add('auditID', event.auditId);
  add('stage', event.stage);
  add('requestURI', event.requestUri);
  add('verb', event.verb);
  add('user', event.user === undefined ? {} : userObject(event.user));
  add('impersonatedUser', event.impersonatedUser && userObject(event.impersonatedUser));
  const { impersonationConstraint } = event;
  add('authenticationMetadata', impersonationConstraint === '' ? undefined : { impersonationConstraint });
  add('sourceIPs', event.sourceIps.length === 0 ? undefined : [...event.sourceIps]);
  add('userAgent', event.userAgent === '' ? undefined : event.userAgent);
  add('objectRef', event.objectRef && objectRef(event.objectRef));
  add('responseStatus', event.responseStatus && statusOf(event.responseStatus));
  if (requestObject !== undefined) parts.push(`"requestObject":${requestObject}`);
  if (responseObject !== undefined) parts.push(`"responseObject":${responseObject}`);
  add('requestReceivedTimestamp', formatMicroTime(timeOf(event.receivedMs)));
  add('stageTimestamp', formatMicroTime(timeOf(event.stageMs)));
  const named = Object.fromEntries(annotations);
  if (annotations.size > 0) {
    add('annotations', Object.fromEntries(sortedKeys(named).map((key) => [key, named[key] ?? ''])));
  }
  return `{${parts.join(',')}}`;
}

/** The body sent to a webhook. */
export function eventListJson(events: readonly AuditEvent[]): string {
  const items = events.map((event) => eventJson(event, { isItem: true })).join(',');
  return `{"kind":"EventList","apiVersion":${quoteJson(auditVersion)},"metadata":{},"items":[${items}]}\n`;
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
  ...['resource', 'namespace', 'name', 'uid', 'apiGroup', 'apiVersion', 'resourceVersion', 'subresource'],
] as readonly (keyof AuditedObject)[];

function objectRef(ref: AuditedObject): JsonObject {
  return Object.fromEntries(refFields.filter((field) => ref[field] !== '').map((field) => [field, ref[field]]));
}

/** Of a Status, without its kind and what lists continue with. */
function statusOf(status: Partial<Status>): JsonObject {
  const { continue: _continue, ...rest } = status;
  const whole = { code: 0, ...rest };
  // Absent fields are omitted.
  const { kind: _kind, apiVersion: _apiVersion, ...shown } = statusObject(whole as Status);
  return shown;
}
