import { DanglingConditions } from '../../flowcontrol/upkeep/dangling-conditions.ts';
import { keepBootstrapObjects, producerManager } from '../../flowcontrol/upkeep/bootstrap-upkeep.ts';
import { flowSchemas, priorityLevels } from '../../flowcontrol/upkeep/collections.ts';
import { FollowedConfiguration } from '../../flowcontrol/upkeep/followed-configuration.ts';
import { alwaysAllow } from '../../authorization/always.ts';
import { Mirror } from '../../api/mirror.ts';
import type { Client } from '../../api/client.ts';
import { InProcessClient } from '../client/in-process-client.ts';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import type { PartContext } from '../../api/part.ts';
import type { ResourceScopes } from '../resource-scopes.ts';
import { noAdmission, systemUser } from '../system-operation.ts';

/** Someone who edits an object in several steps is done by then. */
const restoreDelayMs = 10_000;

interface HookContext extends Pick<PartContext, 'clock' | 'onError' | 'onStop'> {
  readonly scopes: ResourceScopes;
  /** Undefined: priority and fairness is off. */
  readonly flowControl: () => FlowControl | undefined;
}

function clientOf({ scopes, clock }: HookContext, manager: string): Client {
  return new InProcessClient({
    ...{ scopes, clock, admission: noAdmission, authorizer: alwaysAllow, user: systemUser, manager },
  });
}

function signalOf({ onStop }: HookContext): AbortSignal {
  const stop = new AbortController();
  onStop(() => stop.abort());
  return stop.signal;
}

/** Puts the stored configuration into force, and tells which FlowSchemas refer to a level that does not exist. */
export async function consumeFlowConfiguration(context: HookContext): Promise<void> {
  const { clock, onError } = context;
  if (!servesFlowControl(context)) return;
  const signal = signalOf(context);
  const client = clientOf(context, 'api-priority-and-fairness-config-consumer-v1');
  const conditions = new DanglingConditions({ client, clock, onError, signal });
  const flowControl = context.flowControl();
  const followed = new FollowedConfiguration({
    ...{ client, onError, signal },
    changed(configuration) {
      flowControl?.configure(configuration.schemas, configuration.levels);
      void conditions.update(configuration).catch(onError);
    },
  });
  await followed.start();
}

/** Creates the bootstrap objects, and looks after them again whenever one has changed. */
export async function produceFlowConfiguration(context: HookContext): Promise<void> {
  const { onError } = context;
  if (!servesFlowControl(context)) return;
  const signal = signalOf(context);
  const client = clientOf(context, producerManager);
  let timer: NodeJS.Timeout | undefined;
  const restoreSoon = (): void => {
    if (signal.aborted) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      keepBootstrapObjects(client).catch((error: unknown) => {
        onError(error);
        restoreSoon();
      });
    }, restoreDelayMs).unref();
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  await keepBootstrapObjects(client).catch((error: unknown) => {
    onError(error);
    restoreSoon();
  });
  // What was just written is told as well; it needs no second look.
  let isFirst = true;
  const changed = (): void => {
    if (!isFirst) restoreSoon();
  };
  await Promise.all(
    [flowSchemas, priorityLevels].map((collection) =>
      new Mirror({ client, collection, onError, signal, set: changed, remove: changed }).startRetrying(),
    ),
  );
  isFirst = false;
}

/** The API group may be off. */
function servesFlowControl({ scopes }: HookContext): boolean {
  return [flowSchemas, priorityLevels].every(
    ({ group, version, resource }) => scopes.now.scopeOf(group, version, resource)?.store !== undefined,
  );
}
