/** How many requests begin before other work has its turn: enough for what is written together to stay together. */
const requestsPerTurn = 128;

let begun = 0;
/** Requests that have not begun, by connection; the connections in the order of their turns. */
const waiting = new Map<object, (() => void)[]>();

/**
 * Begins a request. When thousands arrive in one round of the event loop, most begin in later rounds, those of
 * different connections in turns: others need not wait for all of one client's requests.
 */
export function beginInTurn(connection: object, begin: () => void): void {
  if (begun < requestsPerTurn) {
    begun += 1;
    if (begun === requestsPerTurn) setImmediate(nextTurn);
    begin();
    return;
  }
  const line = waiting.get(connection);
  if (line === undefined) waiting.set(connection, [begin]);
  else line.push(begin);
}

function nextTurn(): void {
  begun = 0;
  for (const [connection, line] of waiting) {
    begun += 1;
    waiting.delete(connection);
    const begin = line.shift();
    if (line.length > 0) waiting.set(connection, line);
    begin?.();
    if (begun === requestsPerTurn) break;
  }
  if (begun === requestsPerTurn) setImmediate(nextTurn);
}
