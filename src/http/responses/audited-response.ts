import { type Document, jsonOf } from '../../codec/document.ts';
import type { RequestContext } from '../request/request-context.ts';

/** Adds a response to its audit event, if the level includes responses. */
export function auditResponse({ audit, info, exchange }: RequestContext, document: () => Document): void {
  if (audit?.logs('RequestResponse') !== true) return;
  // Responses on other paths are not stored objects.
  if (!info.isResourceRequest && !exchange.path.startsWith('/api')) return;
  audit.addResponseObject(jsonOf(document()));
}
