/** How many requests begin at once in one round of the event loop, or little more: fewer if the last ones took long. */
const most = 32;
const fewest = 4;
let requestsPerRound = most;

/** What requests that have had to wait may take of a round to begin or to be refused, whatever other work there is. */
const roundShareMs = 2;

/** Requests that begin when this round of the event loop ends. */
let gathered: (() => void)[] = [];
/** How many requests have come in this round without having to wait for another one, and how many in the one before. */
let arrived = 0;
let arrivedBefore = 0;

/** Requests that have not begun, by connection; the connections in the order in which they are next. */
type Lines = Map<object, (() => void)[]>;

const preferred: Lines = new Map();
const others: Lines = new Map();
/** While `preferred` has requests, this many of them begin for each of the others. */
const preferredInTurn = 3;
let preferredInRow = 0;

/** Connections whose last request did not find a seat. Undefined: there has been none. */
let seatless: WeakSet<object> | undefined;

/**
 * Tells whether the last request of a connection found a seat at once. In an overload, connections that ask for what
 * there are seats for (leader election, exempt requests) go before those whose requests would be queued or refused.
 */
export function foundSeat(connection: object, hasFound: boolean): void {
  if (hasFound) seatless?.delete(connection);
  else (seatless ??= new WeakSet()).add(connection);
}

/**
 * Begins a request: at once if requests come one at a time, otherwise at the end of the round of the event loop,
 * together with the others of the round. What requests do in a row takes two thirds of the time: its code and its
 * tables are in the caches of the CPU, and their responses are sent together.
 *
 * When thousands arrive in one round, most begin in later rounds, those of different connections alternately: others
 * need not wait for all of one client's requests.
 */
export function beginRequest(connection: object, begin: () => void): void {
  if (isNoneWaiting()) {
    if (arrived < requestsPerRound) {
      gather(begin);
      return;
    }
    setImmediate(beginWaiting);
  }
  // Requests of a connection begin in order: they stay in one line until it is empty.
  const lines =
    others.has(connection) || (seatless?.has(connection) === true && !preferred.has(connection)) ? others : preferred;
  const line = lines.get(connection);
  if (line === undefined) lines.set(connection, [begin]);
  else line.push(begin);
}

function isNoneWaiting(): boolean {
  return preferred.size === 0 && others.size === 0;
}

function gather(begin: () => void): void {
  arrived += 1;
  if (arrived === 1) {
    setImmediate(endRound);
    if (arrivedBefore <= 1) {
      begin();
      return;
    }
  }
  gathered.push(begin);
}

function endRound(): void {
  const begins = gathered;
  gathered = [];
  arrivedBefore = arrived;
  arrived = 0;
  for (const begin of begins) begin();
}

/** Begins as many as there is time for. */
function beginWaiting(): void {
  const endMs = performance.now() + roundShareMs;
  let count = 0;
  const beginNext = (): void => {
    if (performance.now() >= endMs) {
      requestsPerRound = Math.min(Math.max(count, fewest), most);
      setImmediate(beginWaiting);
      return;
    }
    beginFirst(nextLines());
    count += 1;
    // A tick comes after all microtasks, and so after all that the request does before it has to wait.
    if (isNoneWaiting()) requestsPerRound = most;
    else queueMicrotask(() => process.nextTick(beginNext));
  };
  beginNext();
}

function nextLines(): Lines {
  const isPreferred = preferred.size > 0 && (others.size === 0 || preferredInRow < preferredInTurn);
  preferredInRow = isPreferred ? preferredInRow + 1 : 0;
  return isPreferred ? preferred : others;
}

function beginFirst(lines: Lines): void {
  for (const [connection, line] of lines) {
    lines.delete(connection);
    const begin = line.shift();
    if (line.length > 0) lines.set(connection, line);
    begin?.();
    return;
  }
}
