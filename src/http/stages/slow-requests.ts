import { randomInt } from 'node:crypto';
import type { Clock } from '../../api/time/clock.ts';
import { formatMs } from '../../api/time/duration.ts';
import { type Log, logSite } from '../../api/contracts/log.ts';
import type { RequestStep } from '../../api/contracts/request-step.ts';
import { isApply, requestAttributes } from '../request/request-attributes.ts';
import type { Outcome, RequestContext, Stage } from '../request/request-context.ts';

// Requests that took long, with the steps that did, in the format of k8s.io/utils/trace:
//
//     Trace[1379458757]: "Create" accept:application/json,...,verb:POST (29-Nov-2026 01:12:46.398) (total time: 835ms):
//     Trace[1379458757]: ["Call validating webhook" configuration:slow,... 786ms (01:12:46.398)]
//     Trace[1379458757]: ---"Write to database call succeeded" 49ms (01:12:47.234)
//     Trace[1379458757]: [835.972284ms] [835.972284ms] END

const site = logSite('stages/slow-requests.ts');
const slowMs = 500;
/** All steps are shown. */
const detailVerbosity = 4;

/** The time for which a request has waited for its turn does not count. */
export function slowRequestsStage(log: Log): Stage {
  return {
    name: 'slow-requests',
    run: () => undefined,
    end(context, outcome) {
      if (outcome.durationMs < slowMs || outcome.isLongRunning || !context.hasInfo) return;
      const name = context.verb?.title;
      const beganMs = context.seats?.account.startedMs ?? context.beganMs;
      const endedMs = context.beganMs + outcome.durationMs;
      if (name === undefined || endedMs - beganMs < slowMs) return;
      const parts = { name, beganMs, endedMs, all: log.enabled(detailVerbosity, site) };
      log.write({ site, severity: 'info', isText: true, message: traceOf(context, outcome, parts) });
    },
  };
}

interface TraceParts {
  readonly name: string;
  readonly beganMs: number;
  readonly endedMs: number;
  /** Shows also steps that took no time. */
  readonly all: boolean;
}

function traceOf(context: RequestContext, { code }: Outcome, { name, beganMs, endedMs, all }: TraceParts): string {
  const { clock, exchange, info } = context;
  const verb = info.verb === 'list' ? 'LIST' : isApply(exchange) ? 'APPLY' : exchange.method;
  const prefix = `Trace[${randomInt(2 ** 31)}]: `;
  const last = code === 0 ? [] : [{ name: 'Writing http response done', endedMs }];
  const steps: readonly RequestStep[] = [...(context.steps ?? []), ...last].filter((step) => step.endedMs > beganMs);
  const leastMs = all ? 0 : slowMs / (steps.length + 1);
  const total = `(total time: ${Math.floor(endedMs - beganMs)}ms)`;
  const took = `[${formatMs(endedMs - beganMs)}]`;
  return [
    `${prefix}"${name}" ${fieldsText(requestAttributes(context, verb))} (${dateText(beganMs, clock)} ${timeText(beganMs, clock)}) ${total}:`,
    ...[...stepTexts(steps, { beganMs, leastMs, clock })].map((text) => `${prefix}${text}`),
    `${prefix}${took} ${took} END`,
  ].join('\n');
}

/** A step takes from the end of the one before to its own; calls that ran beside each other have their own times. */
function* stepTexts(
  steps: readonly RequestStep[],
  { beganMs, leastMs, clock }: { readonly beganMs: number; readonly leastMs: number; readonly clock: Clock },
): Iterable<string> {
  let lastMs = beganMs;
  for (const { name, endedMs, call } of steps) {
    const startMs = call?.beganMs ?? lastMs;
    const took = `${Math.floor(endedMs - startMs)}ms`;
    lastMs = Math.max(lastMs, endedMs);
    if (endedMs - startMs < leastMs) continue;
    if (call === undefined) yield `---"${name}" ${took} (${timeText(endedMs, clock)})`;
    else yield `["${name}" ${fieldsText(call.about)} ${took} (${timeText(startMs, clock)})]`;
  }
}

function fieldsText(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}:${value}`)
    .join(',');
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `29-Nov-2026`, of a `performance.now()`, in local time as the log is. */
function dateText(ms: number, clock: Clock): string {
  const date = wallTime(ms, clock);
  return `${String(date.getDate()).padStart(2, '0')}-${months[date.getMonth()]}-${date.getFullYear()}`;
}

/** `01:12:46.398` */
function timeText(ms: number, clock: Clock): string {
  const date = wallTime(ms, clock);
  const two = (value: number): string => String(value).padStart(2, '0');
  const fraction = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${fraction}`;
}

function wallTime(ms: number, clock: Clock): Date {
  return new Date(clock.now() + ms - performance.now());
}
