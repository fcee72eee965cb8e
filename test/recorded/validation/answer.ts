import type { JsonObject, JsonValue } from '../../../src/api/json/json.ts';
import type { FeatureGates, Mutation } from './case.ts';

export interface WriteResponse {
  readonly code: number;
  readonly body: JsonObject;
  /** Warning headers as received. */
  readonly warnings: readonly string[];
}

/** `[reason, message, field]`. */
export type RecordedCause = readonly [reason: string, message: string, field: string];

/**
 * The reference's response to one object. The last member has what the others lack: the object of a successful
 * write, reason and message of an error without causes, warnings.
 */
export type Recorded = readonly [
  operation: string,
  mutation: JsonObject,
  code: number,
  causes: readonly RecordedCause[],
  rest?: JsonObject,
];

export interface RecordedHead {
  readonly resource: string;
  readonly base: JsonObject;
  /** Gates of the server, if they are not the default ones. */
  readonly gates?: FeatureGates;
  /** The starting point of creates, if not `base`. */
  readonly created?: JsonObject;
  /** How the base was prepared, if it took more than creating it and setting its status. */
  readonly prepared?: readonly (readonly [subresource: string, mutation: JsonObject])[];
  /** The reference would not accept the base itself. */
  readonly planted?: boolean;
}

export interface RecordedKind {
  readonly head: RecordedHead;
  readonly cases: readonly Recorded[];
}

/** Metadata that differs between servers. */
export const ownedByServer = ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields'];

const removed = '(removed)';

/** The mutation as serialized: JSON has no undefined. */
export function shownMutation(mutation: Mutation): JsonObject {
  return Object.fromEntries(Object.entries(mutation).map(([path, value]) => [path, value ?? removed]));
}

export function recordedMutation(shown: JsonObject): Mutation {
  return Object.fromEntries(
    Object.entries(shown).map(([path, value]) => [path, value === removed ? undefined : value]),
  );
}

export function causesOf(body: JsonObject): RecordedCause[] {
  // A Status has details, optionally with causes.
  const causes = ((body['details'] as JsonObject | undefined)?.['causes'] ?? []) as JsonObject[];
  const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? withoutTypeNames(value) : '');
  return causes.map(({ reason, message, field }) => [text(reason), text(message), text(field)]);
}

/** The name of a rule's type is different each time. */
export function withoutTypeNames(text: string): string {
  return text.replace(/\bselfType\d+/g, 'selfType');
}

/** Values that differ between runs: condition times, the requester. */
const ofTheRun: { readonly [field: string]: string } = {
  lastTransitionTime: '(time)',
  lastUpdateTime: '(time)',
  lastPhaseTransitionTime: '(time)',
  timeAdded: '(time)',
  username: '(username)',
  'controller-uid': '(uid)',
  'batch.kubernetes.io/controller-uid': '(uid)',
  'authentication.kubernetes.io/credential-id': '(authentication.kubernetes.io/credential-id)',
};

function withoutRun(body: JsonObject): JsonObject {
  const text = JSON.stringify(body, (key, value: JsonValue) => (Object.hasOwn(ofTheRun, key) ? ofTheRun[key] : value));
  return JSON.parse(text) as JsonObject;
}

/** The parts of a response besides code and causes; undefined if there are none. */
function restOf(answer: WriteResponse): JsonObject | undefined {
  const rest = bodyRest(answer);
  return answer.warnings.length === 0 ? rest : { ...rest, warnings: [...answer.warnings] };
}

function bodyRest({ code, body }: WriteResponse): JsonObject | undefined {
  if (code < 400) {
    const { metadata, ...object } = withoutRun(body);
    // A stored object has metadata.
    const kept = Object.entries(metadata as JsonObject).filter(([name]) => !ownedByServer.includes(name));
    return { ...object, metadata: Object.fromEntries(kept) };
  }
  const { reason = '', message = '' } = body;
  const causes = causesOf(body);
  if (reason !== 'Invalid' || causes.length === 0) return { reason, message };
  const texts = [...new Set(causes.map(([, cause, field]) => `${field}: ${cause}`))];
  const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return withoutTypeNames(String(message)).endsWith(` is invalid: ${all}`) ? undefined : { reason, message };
}

export function recordResponse(operation: string, mutation: Mutation, answer: WriteResponse): Recorded {
  const rest = restOf(answer);
  const head = [operation, shownMutation(mutation), answer.code, causesOf(answer.body)] as const;
  return rest === undefined ? head : [...head, rest];
}
