import type { Soon } from '../scheduling/soon.ts';
import type { Status } from '../errors/status.ts';
import type { UserInfo } from './user.ts';

/** Audit levels, least detailed first. */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof auditLevels)[number];

export const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof auditStages)[number];

export function isAtLeast(level: AuditLevel, least: AuditLevel): boolean {
  return auditLevels.indexOf(level) >= auditLevels.indexOf(least);
}

/** The audit event of a request, for those who have something to add to it. */
export interface AuditAnnotations {
  /**
   * Adds an annotation. `value` is only called where the request is audited at the level or a higher one; the first
   * value of a key stays.
   */
  annotate(key: string, value: () => string, level?: AuditLevel): void;
}

/** The object of a request, as far as it is known. */
export interface AuditedObject {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

/** An event of audit.k8s.io/v1. */
export interface AuditEvent {
  readonly level: AuditLevel;
  readonly auditId: string;
  readonly stage: AuditStage;
  readonly requestUri: string;
  readonly verb: string;
  /** Undefined: not authenticated. */
  readonly user: UserInfo | undefined;
  readonly impersonatedUser: UserInfo | undefined;
  readonly impersonationConstraint: string;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly objectRef: AuditedObject | undefined;
  readonly responseStatus: Partial<Status> | undefined;
  /** JSON. */
  readonly requestObject: Uint8Array | undefined;
  readonly responseObject: Uint8Array | undefined;
  /** Milliseconds since the epoch. */
  readonly receivedMs: number;
  readonly stageMs: number;
  readonly annotations: ReadonlyMap<string, string>;
}

/** Takes events. */
export interface AuditSink {
  /** False, or a promise of it, where an event of this mode that is not stored fails the request. Never throws. */
  process(events: readonly AuditEvent[]): Soon<boolean>;
}
