import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../api/time/clock.ts';
import { logSite } from '../../api/contracts/log.ts';
import { SharedTokens } from '../../authentication/shared-tokens.ts';
import { ExchangeSender } from '../../http/handover/exchange-sender.ts';
import { SeatSharing } from '../../flowcontrol/seat-sharing.ts';
import { SharedSeats } from '../../flowcontrol/shared-seats.ts';
import { plainError } from '../../storage/ports/plain-error.ts';
import { Lifecycle } from '../lifecycle.ts';
import { ServerLog } from '../logging/server-log.ts';
import { openThread, type ServerThread } from '../server-thread.ts';
import { hooksInEachThread, runStartHooks, startHooksOf, type StartHookRow } from '../start-hooks.ts';
import { threadHookContext } from '../start/thread-hook-context.ts';
import { builtInWiring } from '../wiring.ts';
import { AuditSender } from './audit-sender.ts';
import { ProcessPorts } from './process-ports.ts';
import { ProcessTurns } from './process-turns.ts';
import { Idleness } from './idleness.ts';
import { CallPort, type Calls } from './call-port.ts';
import { LaneSenders } from './lane-senders.ts';
import { LaneWork } from './lane-work.ts';
import { isOfProcess } from './process-paths.ts';
import { releaseMemoryWhenIdle } from './release-memory.ts';
import type { SharedParts } from './shared-parts.ts';
import type { ProcessCalls, ThreadCalls, ThreadData } from './thread-data.ts';
import { threadStore } from './thread-store.ts';

const site = logSite('server/threads/api-thread.ts');

/** Serves requests on the store of the process, until it is told to end. */
async function main(data: ThreadData): Promise<void> {
  const port = ownPort();
  const log = new ServerLog(data.config.logging, systemClock, data.log);
  log.verbosity.level = data.verbosity;
  const onError = (message: string) => (error: unknown) => log.write({ site, severity: 'error', message, error });
  const hooks = startHooksOf(builtInWiring.startHooks, data.config);
  const lifecycle = lifecycleOf(data, hooks);
  const opened = new AsyncDisposableStack();
  const opening = Promise.withResolvers<ServerThread>();
  const lanes = new LaneSenders({
    wanted: () => server.tell('laneWanted', undefined),
    used: (name) => server.tell('laneUsed', name),
  });
  const idleness = new Idleness(data.idleMs, () => server.tell('idle', undefined));
  const work = new LaneWork((exchange) => thread.handle(exchange));
  let isEnding = false;
  const tokens = new SharedTokens((token) => server.tell('tokenKnown', token));
  const calls: ThreadCalls = {
    finished: (hook) => lifecycle.finish(hook),
    setVerbosity: (level) => void (log.verbosity.level = level),
    tokenKnown: (token) => tokens.learn(token),
    metrics: async () => (await opening.promise).metrics.snapshot(),
    flowLevels: async (withRequests) => (await opening.promise).flowControl?.levels(withRequests) ?? [],
    leave: () => void lifecycle.leave(0),
    take: (taken) => work.take(taken),
    openExchanges: () => work.size,
    addLane: (lane) => lanes.add(lane),
    leaveLane: (name) => lanes.leave(name),
    lanesFailed: () => lanes.failed(),
    shed: async (shedding) => (await opening.promise).shed(shedding),
    retire: async () => (await opening.promise).retire(),
    async end() {
      isEnding = true;
      await (await opening.promise).end();
      await opened.disposeAsync();
      // When the process has been told: something else may keep the thread's loop from ending by itself.
      setImmediate(() => port.close());
    },
  };
  const server = new CallPort<ProcessCalls>(port, { ...calls } satisfies Calls, onError('a call failed'));
  process.once('uncaughtException', (error) => {
    server.tell('failed', plainError(error));
    // Not now: a connection may be being read.
    setImmediate(() => void endAfter(opening.promise));
  });
  const { connectionsChanged } = idleness;
  const shared = { ...sharedParts(data, { server, lanes, opened, onError }), tokens, connectionsChanged };
  opening.resolve(
    openThread(data.config, builtInWiring, {
      log,
      opened,
      onError,
      shared,
      openStore: (schemaOf) => threadStore(data, schemaOf),
      prepared: async () => lifecycle,
      isFirst: false,
      ticketKeys: Buffer.from(data.ticketKeys),
      started: async () => undefined,
    }),
  );
  const thread = await opening.promise;
  opened.use(thread.registers);
  opened.defer(() => thread.definitions.stopWaiting());
  const context = threadHookContext(thread, data.config.serving.securePort);
  await runStartHooks(hooksInEachThread(hooks), { lifecycle, context });
  if (isEnding) return;
  if (data.listens) await thread.listen();
  server.tell('serves', undefined);
  idleness.begin();
  if (data.config.serving.releasesMemory) releaseMemoryWhenIdle();
}

/** With the hooks that the process has finished. */
function lifecycleOf({ config, finished }: ThreadData, hooks: readonly StartHookRow[]): Lifecycle {
  const { livezGracePeriodMs } = config.shutdown;
  const lifecycle = new Lifecycle({ hooks: hooks.map(({ name }) => name), livezGracePeriodMs });
  for (const hook of finished) lifecycle.finish(hook);
  return lifecycle;
}

interface ThreadParts {
  readonly server: CallPort<ProcessCalls>;
  readonly lanes: LaneSenders;
  readonly opened: AsyncDisposableStack;
  readonly onError: (message: string) => (error: unknown) => void;
}

/** What this thread has in common with the others. */
function sharedParts(data: ThreadData, { server, lanes, opened, onError }: ThreadParts): SharedParts {
  const { config, name, listens, exchanges } = data;
  const first = exchanges && new ExchangeSender(exchanges);
  opened.defer(() => first?.close());
  return {
    threadName: name,
    othersWrite: () => true,
    ports: new ProcessPorts(server),
    turns: new ProcessTurns(server),
    passOn: first && ((exchange) => isOfProcess(exchange) && first.handOver(exchange)),
    lanes: listens && config.serving.lanes > 0 ? lanes : undefined,
    sharing: new SeatSharing({
      seats: new SharedSeats(data.seats, data.seatThread),
      onDemand: () => server.tell('seatsWanted', undefined),
    }),
    auditSink: new AuditSender({
      audit: config.audit,
      send: (events) => server.call('audit', events),
      onError: onError('audit events could not be sent'),
    }),
  };
}

/** Node aborts the whole process if a connection of HTTP/2 is read while its thread ends. */
async function endAfter(opening: Promise<ServerThread>): Promise<void> {
  try {
    const thread = await opening;
    await thread.cutOff();
  } finally {
    process.exit(1);
  }
}

function ownPort(): NonNullable<typeof parentPort> {
  if (parentPort === null) throw new Error('this is to be run as a thread');
  return parentPort;
}

await main(workerData as ThreadData); // as `RunningThread` starts it
