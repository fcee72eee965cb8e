import { type Document, jsonTextOf } from '../../codec/document.ts';
import type { RequestContext } from '../request/request-context.ts';

/** Tells the audit event of an answer, where it is to tell that. */
export function auditAnswer({ audit, info, exchange }: RequestContext, document: () => Document): void {
  if (audit?.logs('RequestResponse') !== true) return;
  // Other paths answer what no client has stored.
  if (info.isResourceRequest || exchange.path.startsWith('/api')) audit.addResponseObject(jsonTextOf(document()));
}
