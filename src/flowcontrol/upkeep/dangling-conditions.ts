import type { Client } from '../../api/client/client.ts';
import type { Clock } from '../../api/time/clock.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { isReason } from '../../api/errors/status.ts';
import { formatTime } from '../../api/time/time.ts';
import type { FlowSchema } from '../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import { levelSpecOf } from '../levels/level-spec.ts';
import { flowSchemas } from './collections.ts';
import type { StoredConfiguration } from './followed-configuration.ts';

const manager = 'api-priority-and-fairness-config-consumer-v1';

/** Servers of different releases may disagree: then none of them writes more often than this in a minute. */
const maxWritesPerMinute = 6;
const minuteMs = 60_000;
const retryMs = 30_000;

export interface DanglingConditionsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Tells in the status of each FlowSchema whether its priority level exists. */
export class DanglingConditions {
  readonly #options: DanglingConditionsOptions;
  /** When each schema was written within the last minute. */
  #writes = new Map<string, readonly number[]>();
  #configuration: StoredConfiguration = { schemas: [], levels: [] };
  #writing: Promise<void> | undefined;
  #isOutdated = false;
  #isStopped = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: DanglingConditionsOptions) {
    this.#options = options;
  }

  /** Resolves when the conditions are up to date. */
  update(configuration: StoredConfiguration): Promise<void> {
    this.#configuration = configuration;
    this.#isOutdated = true;
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  /** Writes nothing from now on; resolves when what is being written has been. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#isOutdated && !this.#isStopped) {
      this.#isOutdated = false;
      const { schemas, levels } = this.#configuration;
      this.#forgetWrites(schemas);
      const existing = new Set(levels.flatMap((level) => levelSpecOf(level)?.name ?? []));
      await Promise.all(schemas.map((schema) => this.#writeOne(schema, existing)));
    }
  }

  async #writeOne(schema: KubernetesObject & FlowSchema, levels: ReadonlySet<string>): Promise<void> {
    const level = schema.spec?.priorityLevelConfiguration?.name ?? '';
    const wanted = conditionOf(level, levels.has(level));
    const known = schema.status?.conditions?.find(({ type }) => type === wanted.type);
    const isKnown =
      known?.status === wanted.status && known.reason === wanted.reason && known.message === wanted.message;
    const { name = '' } = schema.metadata;
    if (isKnown || !this.#mayWrite(name)) return;
    const { client, clock, onError } = this.#options;
    const lastTransitionTime = formatTime({ epochMs: clock.now() });
    const configuration: JsonObject = {
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind: 'FlowSchema',
      metadata: { name },
      status: {
        conditions: [
          {
            ...wanted,
            lastTransitionTime,
          },
        ],
      },
    };
    try {
      await client.apply({ ...flowSchemas, name }, configuration, { manager, subresource: 'status' });
    } catch (error) {
      // Deleted meanwhile.
      if (!isReason(error, 'NotFound')) onError(error);
    }
  }

  #mayWrite(name: string): boolean {
    const nowMs = this.#options.clock.now();
    const recent = (this.#writes.get(name) ?? []).filter((ms) => nowMs - ms < minuteMs);
    if (recent.length < maxWritesPerMinute) {
      this.#writes.set(name, [...recent, nowMs]);
      return true;
    }
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      void this.update(this.#configuration);
    }, retryMs).unref();
    return false;
  }

  #forgetWrites(schemas: StoredConfiguration['schemas']): void {
    const names = new Set(schemas.map(({ metadata }) => metadata.name));
    this.#writes = new Map([...this.#writes].filter(([name]) => names.has(name)));
  }
}

function conditionOf(
  level: string,
  isFound: boolean,
): { type: string; status: string; reason: string; message: string } {
  const reference = `This FlowSchema references the PriorityLevelConfiguration object named ${goQuote(level)}`;
  return isFound
    ? { type: 'Dangling', status: 'False', reason: 'Found', message: `${reference} and it exists` }
    : { type: 'Dangling', status: 'True', reason: 'NotFound', message: `${reference} but there is no such object` };
}
