import { encodeRaw } from '../api/json/json-text.ts';
import {
  type AuditAnnotations,
  type AuditedObject,
  type AuditEvent,
  type AuditLevel,
  type AuditSink,
  type AuditStage,
  isAtLeast,
} from '../api/contracts/audit.ts';
import type { Clock } from '../api/time/clock.ts';
import type { JsonValue } from '../api/json/json.ts';
import type { Soon } from '../api/scheduling/soon.ts';
import { type Status, statusObject } from '../api/errors/status.ts';
import type { UserInfo } from '../api/contracts/user.ts';
import type { AuditMetrics } from './audit-metrics.ts';
import type { AuditDecision, AuditedAttributes } from './policy.ts';
import { withoutManagedFields } from './without-managed-fields.ts';

const newline = 0x0a;

/** What audits requests. */
export interface Auditor {
  readonly decide: (attributes: AuditedAttributes) => AuditDecision;
  readonly sink: AuditSink;
  readonly metrics: AuditMetrics;
  readonly clock: Clock;
}

/** A request that may be audited. */
export interface AuditedRequest {
  readonly attributes: AuditedAttributes;
  readonly auditId: string;
  readonly requestUri: string;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  /** Milliseconds since the epoch. */
  readonly receivedMs: number;
}

interface PendingAnnotation {
  readonly key: string;
  readonly value: string;
  readonly level: AuditLevel;
}

/** What a body reveals about its object. */
export type BodyMeta = Partial<Pick<AuditedObject, 'name' | 'namespace' | 'uid' | 'resourceVersion'>>;

/** The event of one request while it is built, from authentication on, before the policy is evaluated. */
export class RequestAudit implements AuditAnnotations {
  readonly #auditor: Auditor;
  readonly #annotations = new Map<string, string>();
  #pending: PendingAnnotation[] = [];
  #decision: AuditDecision | undefined;
  #request: AuditedRequest | undefined;
  #objectRef: AuditedObject | undefined;
  #impersonated: { readonly user: UserInfo; readonly constraint: string } | undefined;
  #requestObject: Uint8Array | undefined;
  #responseObject: Uint8Array | undefined;
  #status: Status | undefined;
  #code: number | undefined;

  constructor(auditor: Auditor) {
    this.#auditor = auditor;
  }

  /** Whether the policy has been evaluated. */
  get isDecided(): boolean {
    return this.#decision !== undefined;
  }

  /** Evaluates the policy; false: the request is not audited. */
  begin(request: AuditedRequest): boolean {
    const decision = this.#auditor.decide(request.attributes);
    this.#auditor.metrics.decided(decision.level);
    this.#decision = decision;
    this.#request = request;
    if (decision.level === 'None') return false;
    const { isResourceRequest, group, version, resource, subresource, namespace, name } = request.attributes;
    const place = { resource, subresource, namespace, name, apiGroup: group, apiVersion: version };
    if (isResourceRequest) this.#objectRef = { ...place, uid: '', resourceVersion: '' };
    const pending = this.#pending;
    this.#pending = [];
    for (const { key, value, level } of pending) this.annotate(key, () => value, level);
    return true;
  }

  annotate(key: string, value: () => string, level: AuditLevel = 'Metadata'): void {
    if (this.#decision === undefined) this.#pending.push({ key, value: value(), level });
    else if (this.logs(level) && !this.#annotations.has(key)) this.#annotations.set(key, value());
  }

  /** Whether events of this request include data of a level. */
  logs(level: AuditLevel): boolean {
    return this.#decision !== undefined && isAtLeast(this.#decision.level, level);
  }

  impersonates(user: UserInfo, constraint: string): void {
    this.#impersonated = { user, constraint };
  }

  /** Completes the object reference of the path from the body. */
  addMeta(meta: BodyMeta): void {
    const ref = this.#objectRef;
    if (ref === undefined) return;
    const filled = Object.entries(meta).filter(([field, value]) => value !== '' && ref[field as keyof BodyMeta] === '');
    this.#objectRef = { ...ref, ...Object.fromEntries(filled) };
  }

  /** The body, as JSON. Ask `logs('Request')` before. */
  addRequestObject(json: Uint8Array): void {
    this.#requestObject = this.#shown(json);
  }

  /** A patch or options as the body. Ask `logs('Request')` before. */
  addRequestData(data: JsonValue): void {
    this.#requestObject = Buffer.from(encodeRaw(data));
  }

  /** The answer, as JSON. Ask `logs('RequestResponse')` before. */
  addResponseObject(json: Uint8Array): void {
    this.#responseObject = this.#shown(json);
  }

  /** The answer is this Status. */
  addStatus(status: Status): void {
    this.#status = status;
  }

  /** The code of the answer, once it is known. */
  addCode(code: number): void {
    this.#code = code;
  }

  /** Sends the event of a stage; false: it is not stored, and the request has to fail. */
  process(stage: AuditStage): Soon<boolean> {
    const { sink, metrics, clock } = this.#auditor;
    const [decision, request] = [this.#decision, this.#request];
    if (decision === undefined || request === undefined || decision.omitStages.has(stage)) return true;
    metrics.event();
    const stageMs = stage === 'RequestReceived' ? request.receivedMs : clock.now();
    return sink.process([this.#event(request, { level: decision.level, stage, stageMs })]);
  }

  #event({ attributes, ...request }: AuditedRequest, at: Pick<AuditEvent, 'level' | 'stage' | 'stageMs'>): AuditEvent {
    return {
      ...at,
      ...request,
      verb: attributes.verb,
      user: attributes.user,
      impersonatedUser: this.#impersonated?.user,
      impersonationConstraint: this.#impersonated?.constraint ?? '',
      objectRef: this.#objectRef,
      responseStatus: this.#statusShown(),
      requestObject: this.#requestObject,
      responseObject: this.#recordedResponse(),
      annotations: new Map(this.#annotations),
    };
  }

  #statusShown(): Partial<Status> | undefined {
    if (this.#code === undefined) return this.#status;
    return { ...this.#status, code: this.#code };
  }

  #recordedResponse(): Uint8Array | undefined {
    if (this.#status === undefined || !this.logs('RequestResponse')) return this.#responseObject;
    return Buffer.from(encodeRaw(statusObject(this.#status)));
  }

  #shown(json: Uint8Array): Uint8Array {
    const whole = json.at(-1) === newline ? json.subarray(0, -1) : json;
    return this.#decision?.omitManagedFields === true ? withoutManagedFields(whole) : whole;
  }
}
