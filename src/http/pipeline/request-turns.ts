/** How many requests begin in one round of the event loop, or little more. */
const requestsPerRound = 32;

let begun = requestsPerRound;
/** The round in which the count began. */
let round: number | undefined;
/** Requests that have not begun, by connection; the connections in the order of their turns. */
const waiting = new Map<object, (() => void)[]>();

/**
 * Begins a request. When thousands arrive in one round of the event loop, most begin in later rounds, those of
 * different connections in turns: others need not wait for all of one client's requests.
 */
export function beginInTurn(connection: object, begin: () => void): void {
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

function beginWaiting(): void {
  let left = requestsPerRound;
  for (const [connection, line] of waiting) {
    if (left === 0) break;
    left -= 1;
    waiting.delete(connection);
    const begin = line.shift();
    if (line.length > 0) waiting.set(connection, line);
    begin?.();
  }
  if (waiting.size > 0) setImmediate(beginWaiting);
}
