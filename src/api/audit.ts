/** How much an audit event tells, least first. */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof auditLevels)[number];

/** The audit event of a request, for those who have something to add to it. */
export interface AuditAnnotations {
  /**
   * Adds an annotation. `value` is only called where the request is audited at the level or a higher one; the first
   * value of a key stays.
   */
  annotate(key: string, value: () => string, level?: AuditLevel): void;
}
