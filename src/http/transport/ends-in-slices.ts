import { Socket } from 'node:net';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';

/** How many connections end in one time slice, or twice as many in the first. */
const endsPerSlice = 32;

let ended = 0;
const waiting: (() => void)[] = [];

/**
 * Lets a connection end later when many end in this round of the event loop: clients may close thousands at once, and
 * each takes node a tenth of a millisecond, most of it afterwards.
 */
export function endsInSlices(socket: Socket): void {
  socket._final = (done) => endSoon(() => Socket.prototype._final.call(socket, done));
}

function endSoon(end: () => void): void {
  if (ended < endsPerSlice && waiting.length === 0) {
    if (ended === 0) setImmediate(() => (ended = 0));
    ended += 1;
    end();
  } else if (waiting.push(end) === 1) void endWaiting();
}

async function endWaiting(): Promise<void> {
  const timeSlice = new TimeSlice();
  while (waiting.length > 0) {
    // oxlint-disable-next-line no-await-in-loop -- others run meanwhile
    await timeSlice.next();
    for (const end of waiting.splice(0, endsPerSlice)) end();
  }
}
