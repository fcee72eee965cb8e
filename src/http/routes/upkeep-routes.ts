import { logSite, type LogValues } from '../../api/contracts/log.ts';
import { StatusError } from '../../api/errors/status.ts';
import { badRequest, methodNotAllowed, resourceExpired } from '../../api/errors/status-errors.ts';
import { statusOfStorageError } from '../../registry/stored/storage-errors.ts';
import { StorageError } from '../../storage/contract.ts';
import {
  type CompactionTarget,
  type Progress,
  type StoreUpkeep,
  type Upkeep,
  UpkeepRefusedError,
} from '../../storage/upkeep.ts';
import { apiHeaders } from '../responses/respond.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { PathHandler } from './non-resource-routes.ts';

/** Maintenance of the store. Our own endpoints: the reference leaves this to etcd. */
export const compactPath = '/binnacle/compact';
export const defragPath = '/binnacle/defrag';

/**
 * A line of the answer, in JSON. Failures after the first line are in the last one, since the status has been sent by
 * then; an answer without a result or a failure at its end has been cut off.
 */
export type UpkeepLine = { readonly progress: Progress } | { readonly result: object } | { readonly failure: string };

const site = logSite('routes/upkeep-routes.ts');
/** Between lines about progress. */
const linesEveryMs = 100;

/** `POST /binnacle/compact?revision=N` or `?keep=N`, and `POST /binnacle/defrag`. */
export function upkeepRoutes(upkeep: StoreUpkeep): readonly (readonly [string, PathHandler])[] {
  return [
    [compactPath, upkeepHandler('compact', ({ query }) => upkeep.compact(targetOf(query)))],
    [defragPath, upkeepHandler('defrag', () => upkeep.defragment())],
  ];
}

function upkeepHandler(name: string, begin: (context: RequestContext) => Upkeep<object>): PathHandler {
  return async (context) => {
    if (context.exchange.method !== 'POST') throw methodNotAllowed();
    const work = begin(context);
    const first = await work.next().catch((error: unknown) => {
      throw statusOf(error);
    });
    noteBegin(context, name);
    await respondWhenDone(context, name, follow(work, first));
  };
}

/** The work, of which the first step is done: up to there, failures have a status. */
async function* follow<T>(work: Upkeep<T>, first: IteratorResult<Progress, T>): Upkeep<T> {
  for (let step = first; ; step = await work.next()) {
    if (step.done === true) return step.value;
    yield step.value;
  }
}

async function respondWhenDone(context: RequestContext, name: string, work: Upkeep<object>): Promise<void> {
  const response = context.exchange.start(200, apiHeaders(context, 'application/x-ndjson'));
  const send = (line: UpkeepLine): boolean => response.write(`${JSON.stringify(line)}\n`);
  try {
    for (let nextMs = 0; ;) {
      const step = await work.next();
      if (step.done === true) {
        noteEnd(context, name, step.value);
        send({ result: step.value });
        break;
      }
      // What nobody follows any longer goes on in the store.
      if (context.exchange.closed) return;
      if (performance.now() < nextMs) continue;
      nextMs = performance.now() + linesEveryMs;
      if (!send({ progress: step.value })) await response.drained(stallMs);
    }
  } catch (error) {
    noteFailure(context, name, error);
    send({ failure: error instanceof Error ? error.message : String(error) });
  }
  response.end();
}

/** A client that reads nothing is cut off. */
const stallMs = 60_000;

function targetOf(query: URLSearchParams): CompactionTarget {
  const revision = numberOf(query, 'revision');
  const keep = numberOf(query, 'keep');
  if (revision !== undefined && keep !== undefined) throw badRequest('revision and keep exclude each other');
  return revision === undefined ? { keep: keep ?? 0 } : { revision };
}

function numberOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw badRequest(`${name} must be a non-negative integer, not ${JSON.stringify(text)}`);
  return value;
}

function statusOf(error: unknown): unknown {
  if (error instanceof UpkeepRefusedError)
    return new StatusError({ code: 409, reason: 'Conflict', message: error.message }, { cause: error });
  if (!(error instanceof StorageError)) return error;
  if (error.code === 'compacted') return resourceExpired(error.message);
  if (error.code === 'future-revision') return badRequest(error.message);
  return statusOfStorageError(error, { group: '', resource: 'stores' }, 'post');
}

function noteBegin(context: RequestContext, work: string): void {
  note(context, 'Maintenance of the store has begun', { work });
}

function noteEnd(context: RequestContext, work: string, result: object): void {
  note(context, 'Maintenance of the store has ended', { work, ...result });
}

function note({ log, user }: RequestContext, message: string, values: LogValues): void {
  if (!log.enabled(verbosity, site)) return;
  log.write({ site, severity: 'info', verbosity, message, values: { ...values, user: user.name } });
}

const verbosity = 2;

function noteFailure({ log }: RequestContext, work: string, error: unknown): void {
  log.write({ site, severity: 'error', message: 'Maintenance of the store has failed', values: { work }, error });
}
