import { formatMs } from '../../api/time/duration.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { type Log, type LogValues, logSite } from '../../api/contracts/log.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { SeatTicket } from '../../flowcontrol/seats.ts';
import type { Outcome, RequestContext, Stage } from '../request/request-context.ts';

const site = logSite('stages/httplog.ts');
const verbosity = 3;

/** The name of a verb in metrics; `other`: it has none. */
export type VerbName = (context: RequestContext) => string;

/** A line for every request, when it has ended. What clients send beyond the request line is not in it. */
export function httpLogStage(log: Log, verbName: VerbName): Stage {
  return {
    name: 'http-log',
    run: () => undefined,
    end(context, outcome) {
      if (!log.enabled(verbosity, site)) return;
      log.write({ site, severity: 'info', verbosity, message: 'HTTP', values: valuesOf(context, outcome, verbName) });
    },
  };
}

/** As in audit events. */
const maxAuditId = 64;

function valuesOf(context: RequestContext, outcome: Outcome, verbName: VerbName): LogValues {
  const { exchange, auditId, seats } = context;
  const { method, path, query, remoteAddress, remotePort } = exchange;
  const verb = context.hasInfo ? verbOf(context, verbName) : 'other';
  const host = remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress;
  return {
    verb: verb === 'other' ? method : verb,
    URI: query === '' ? path : `${path}?${query}`,
    latency: formatMs(outcome.durationMs),
    userAgent: exchange.header('user-agent') ?? '',
    contentType: exchange.header('content-type') ?? '',
    'audit-ID': auditId.length > maxAuditId ? `${auditId.slice(0, maxAuditId)}...` : auditId,
    srcIP: `${host}:${remotePort}`,
    ...(seats === undefined ? {} : seatValues(seats, context)),
    ...outcomeValues(context, outcome),
  };
}

/** Where the path says that it is a watch, the reference sees only the method. */
function verbOf(context: RequestContext, verbName: VerbName): string {
  const { isVerbInPath, verb, name } = context.info;
  if (isVerbInPath && verb === 'watch') return name === '' ? 'LIST' : 'GET';
  return verbName(context);
}

function seatValues(seats: SeatTicket, { info }: RequestContext): LogValues {
  const { priorityLevel, flowSchema, work, executedMs } = seats.account;
  const executed = executedMs === undefined ? undefined : formatMs(executedMs);
  return {
    apf_pl: priorityLevel,
    apf_fs: flowSchema,
    apf_iseats: work.initialSeats,
    apf_fseats: work.finalSeats,
    apf_additionalLatency: formatMs(work.additionalMs),
    apf_init_latency: info.verb === 'watch' ? executed : undefined,
    apf_execution_time: executed,
  };
}

function outcomeValues({ user, impersonator }: RequestContext, { code, isHijacked, failure }: Outcome): LogValues {
  if (isHijacked) return { hijacked: true };
  const isOurs = code >= 500 && failure instanceof Error;
  const added = [
    ...(impersonator === undefined ? [] : [`${userText(impersonator)} is impersonating ${userText(user)}`]),
    ...(isOurs ? [`logging error output: ${goQuote(failure.message)}\n`] : []),
  ];
  return {
    resp: code,
    statusStack: isOurs ? failure.stack : undefined,
    addedInfo: added.length === 0 ? undefined : added.join(''),
  };
}

/** `bob[devs,system:authenticated]` */
function userText({ name, groups }: UserInfo): string {
  const shown = name === '' ? '<empty>' : name;
  return groups.length === 0 ? shown : `${shown}[${groups.join(',')}]`;
}
