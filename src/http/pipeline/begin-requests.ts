import { TimeSlice } from '../../api/scheduling/time-slice.ts';

/** How many requests begin at once in one round of the event loop, or little more: fewer if the last ones took long. */
const most = 32;
const fewest = 4;
let requestsPerRound = most;

let begun = most;
/** The round in which the count began. */
let round: number | undefined;
/** Requests that have not begun, by connection; the connections in the order in which they are next. */
const waiting = new Map<object, (() => void)[]>();

/**
 * Begins a request. When thousands arrive in one round of the event loop, most begin in later rounds, those of
 * different connections alternately: others need not wait for all of one client's requests.
 */
export function beginRequest(connection: object, begin: () => void): void {
  if (waiting.size === 0 && mayBegin()) {
    begin();
    return;
  }
  if (waiting.size === 0) setImmediate(beginWaiting);
  const line = waiting.get(connection);
  if (line === undefined) waiting.set(connection, [begin]);
  else line.push(begin);
}

/** Looks at the round once for many requests, since that takes a microsecond. */
function mayBegin(): boolean {
  if (begun >= requestsPerRound) {
    const now = performance.nodeTiming.uvMetricsInfo.loopCount;
    if (now === round) return false;
    round = now;
    begun = 0;
  }
  begun += 1;
  return true;
}

/** Begins as many as there is time for. */
function beginWaiting(): void {
  const timeSlice = new TimeSlice();
  let count = 0;
  const beginNext = (): void => {
    if (timeSlice.isOver) {
      requestsPerRound = Math.min(Math.max(count, fewest), most);
      setImmediate(beginWaiting);
      return;
    }
    beginFirst();
    count += 1;
    // A tick comes after all microtasks, and so after all that the request does before it has to wait.
    if (waiting.size > 0) queueMicrotask(() => process.nextTick(beginNext));
    else requestsPerRound = most;
  };
  beginNext();
}

function beginFirst(): void {
  for (const [connection, line] of waiting) {
    waiting.delete(connection);
    const begin = line.shift();
    if (line.length > 0) waiting.set(connection, line);
    begin?.();
    return;
  }
}
