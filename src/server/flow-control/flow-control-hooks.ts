import { DanglingConditions } from '../../flowcontrol/upkeep/dangling-conditions.ts';
import { keepBootstrapObjects, producerManager } from '../../flowcontrol/upkeep/bootstrap-upkeep.ts';
import { flowSchemas, priorityLevels } from '../../flowcontrol/upkeep/collections.ts';
import { FollowedConfiguration } from '../../flowcontrol/upkeep/followed-configuration.ts';
import { alwaysAllow } from '../../authorization/always.ts';
import type { Client } from '../../api/client/client.ts';
import { InProcessClient } from '../../client/in-process-client.ts';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import type { ResourceScopes } from '../../scopes/resource-scopes.ts';
import { noAdmission, systemUser } from '../../system/system-operation.ts';

/** Someone who edits an object in several steps is done by then. */
const restoreDelayMs = 10_000;

interface HookContext extends Pick<PartContext, 'clock' | 'onError' | 'onStop'> {
  readonly scopes: ResourceScopes;
  /** Undefined: priority and fairness is off. */
  readonly flowControl: FlowControl | undefined;
}

function clientOf({ scopes, clock }: HookContext, manager: string): Client {
  return new InProcessClient({
    scopes,
    clock,
    admission: noAdmission,
    authorizer: alwaysAllow,
    user: systemUser,
    manager,
  });
}

function signalOf({ onStop }: HookContext): AbortSignal {
  const stop = new AbortController();
  onStop(() => stop.abort());
  return stop.signal;
}

/** One for both hooks of a server. */
const followers = new WeakMap<ResourceScopes, FollowedConfiguration>();

function followed(context: HookContext): FollowedConfiguration {
  const { scopes, onError } = context;
  const known = followers.get(scopes);
  if (known !== undefined) return known;
  const made = new FollowedConfiguration({
    client: clientOf(context, producerManager),
    onError,
    signal: signalOf(context),
  });
  followers.set(scopes, made);
  return made;
}

/** Puts the stored configuration into force, and tells which FlowSchemas refer to a level that does not exist. */
export async function consumeFlowConfiguration(context: HookContext): Promise<void> {
  const { clock, onError } = context;
  if (!servesFlowControl(context)) return;
  const client = clientOf(context, 'api-priority-and-fairness-config-consumer-v1');
  const conditions = new DanglingConditions({ client, clock, onError });
  context.onStop(() => conditions.stop());
  const { flowControl } = context;
  await followed(context).follow((configuration) => {
    flowControl?.configure(configuration.schemas, configuration.levels);
    void conditions.update(configuration).catch(onError);
  });
}

/** Creates the bootstrap objects, and looks after them again whenever one has changed. */
export async function produceFlowConfiguration(context: HookContext): Promise<void> {
  if (!servesFlowControl(context)) return;
  const { onError } = context;
  const client = clientOf(context, producerManager);
  const configuration = followed(context);
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let keeping: Promise<void> | undefined;
  const keep = (): Promise<void> =>
    (keeping = keepBootstrapObjects(client, configuration.current).catch((error: unknown) => {
      onError(error);
      keepSoon();
    }));
  const keepSoon = (): void => {
    if (isStopped) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void keep();
    }, restoreDelayMs).unref();
  };
  // The store is open until then.
  context.onStop(async () => {
    isStopped = true;
    clearTimeout(timer);
    await keeping;
  });
  let first: Promise<void> | undefined;
  await configuration.follow(() => {
    if (first === undefined) first = keep();
    else keepSoon();
  });
  await first;
}

/** The API group may be off. */
function servesFlowControl({ scopes }: HookContext): boolean {
  return [flowSchemas, priorityLevels].every(
    ({ group, version, resource }) => scopes.now.scopeOf(group, version, resource)?.store !== undefined,
  );
}
