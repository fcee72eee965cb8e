import type { AuditEvent } from '../../api/contracts/audit.ts';
import { PackedBytes } from './packed-bytes.ts';

/** An event that waits, of which large objects are compressed: what is made of a body may be thirty times as large. */
export class HeldEvent {
  /** Size of its objects. */
  readonly sizeBytes: number;
  readonly #event: AuditEvent;
  readonly #request: PackedBytes | undefined;
  readonly #response: PackedBytes | undefined;

  constructor(event: AuditEvent) {
    const { requestObject, responseObject } = event;
    this.sizeBytes = bytesOf(event);
    this.#event = withoutObjects(event);
    this.#request = packed(requestObject);
    this.#response = packed(responseObject);
  }

  /** The whole event. */
  async whole(): Promise<AuditEvent> {
    const [requestObject, responseObject] = await Promise.all([this.#request?.bytes(), this.#response?.bytes()]);
    return { ...this.#event, requestObject, responseObject };
  }
}

/** Size of the objects of an event. */
export function bytesOf({ requestObject, responseObject }: AuditEvent): number {
  return (requestObject?.length ?? 0) + (responseObject?.length ?? 0);
}

export function withoutObjects(event: AuditEvent): AuditEvent {
  return { ...event, requestObject: undefined, responseObject: undefined };
}

function packed(object: Uint8Array | undefined): PackedBytes | undefined {
  if (object === undefined) return undefined;
  const bytes = new PackedBytes(object);
  bytes.pack();
  return bytes;
}
