import type { AuditEvent, AuditSink } from '../../api/contracts/audit.ts';
import { endOfRound } from '../../api/scheduling/end-of-round.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import type { AuditConfig } from '../../audit/audit-config.ts';

export interface AuditSenderOptions {
  readonly audit: AuditConfig;
  /** Stores events in the process; resolves to whether each of them is stored, or will be. */
  readonly send: (events: readonly AuditEvent[]) => Promise<readonly boolean[]>;
  readonly onError: (error: unknown) => void;
}

/** The audit backends of the process, for another of its threads: all events of a round of the loop go together. */
export class AuditSender implements AuditSink {
  readonly #options: AuditSenderOptions;
  /** Whether requests have to wait for their events. */
  readonly #waits: boolean;
  readonly #isStrict: boolean;
  #events: AuditEvent[] = [];
  #sending: Promise<readonly boolean[]> | undefined;

  constructor(options: AuditSenderOptions) {
    this.#options = options;
    const { log, webhook } = options.audit;
    const modes = [
      ...(log.path === undefined ? [] : [log.mode]),
      ...(webhook.configFile === undefined ? [] : [webhook.mode]),
    ];
    this.#waits = modes.some((mode) => mode !== 'batch');
    this.#isStrict = modes.includes('blocking-strict');
  }

  process(events: readonly AuditEvent[]): Soon<boolean> {
    const first = this.#events.length;
    this.#events.push(...events.map(sendable));
    const stored = (this.#sending ??= this.#sendSoon());
    if (!this.#waits) return true;
    return stored.then((all) => all.slice(first, first + events.length).every(Boolean));
  }

  /** Resolves when the process has taken all events. */
  async close(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
    // Those of earlier rounds have been taken when a later call is answered.
    await this.#options.send([]).catch(this.#options.onError);
  }

  async #sendSoon(): Promise<readonly boolean[]> {
    await endOfRound();
    const events = this.#events;
    this.#events = [];
    this.#sending = undefined;
    return await this.#options.send(events).catch((error: unknown) => {
      this.#options.onError(error);
      return events.map(() => !this.#isStrict);
    });
  }
}

/** Without the rest of the memory that objects are a part of. */
function sendable(event: AuditEvent): AuditEvent {
  const { requestObject, responseObject } = event;
  return {
    ...event,
    requestObject: requestObject && alone(requestObject),
    responseObject: responseObject && alone(responseObject),
  };
}

/** A `Buffer` would share its memory. */
function alone(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
