import { Socket } from 'node:net';

/** How many connections end in one round of the event loop, or twice as many in the first. */
const endsPerRound = 32;

let ended = 0;
const waiting: (() => void)[] = [];

/**
 * Lets a connection end in a later round of the event loop when many end in this one: clients may close thousands at
 * once, and each takes node a tenth of a millisecond.
 */
export function endsInTurn(socket: Socket): void {
  socket._final = (done) => inTurn(() => Socket.prototype._final.call(socket, done));
}

function inTurn(end: () => void): void {
  if (ended < endsPerRound && waiting.length === 0) {
    if (ended === 0) setImmediate(() => (ended = 0));
    ended += 1;
    end();
  } else if (waiting.push(end) === 1) setImmediate(endWaiting);
}

function endWaiting(): void {
  for (const end of waiting.splice(0, endsPerRound)) end();
  if (waiting.length > 0) setImmediate(endWaiting);
}
