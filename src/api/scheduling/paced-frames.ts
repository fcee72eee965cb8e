import type { Http2Session, Http2Stream } from 'node:http2';
import { Duplex } from 'node:stream';
import { GatheredBytes } from '../bytes/gathered-bytes.ts';
import { sliceOfRound, TimeSlice } from './time-slice.ts';

/** Connections that are not read for a while, each with its bodies of which frames are held. */
const waiting = new Map<Http2Session, HeldBody[]>();

/**
 * Lets other work in between the frames of a body. Node reads up to megabytes of a connection in one round of the event
 * loop, and takes a microsecond or two for each frame, which may be of a byte. To be called before the first frame.
 */
export function paceFrames(stream: Http2Stream): void {
  let body: HeldBody | undefined;
  stream.push = (chunk: Buffer | null) => {
    if (body?.isHeld !== true && !sliceOfRound().isOver) return pass(stream, chunk);
    body ??= new HeldBody(stream);
    body.hold(chunk);
    return true;
  };
}

function pass(stream: Http2Stream, chunk: Buffer | null): boolean {
  return Duplex.prototype.push.call(stream, chunk);
}

/** What has been read of a body, but not passed on. */
class HeldBody {
  readonly #stream: Http2Stream;
  #bytes: GatheredBytes | undefined;
  #ends = false;

  constructor(stream: Http2Stream) {
    this.#stream = stream;
  }

  get isHeld(): boolean {
    return this.#bytes !== undefined;
  }

  hold(chunk: Buffer | null): void {
    if (this.#bytes === undefined) {
      this.#bytes = new GatheredBytes();
      if (this.#stream.session !== undefined) wait(this.#stream.session, this);
    }
    if (chunk === null) this.#ends = true;
    else this.#bytes.add(chunk);
  }

  /** Passes it on. What is left of a stream that is broken off is no body. */
  release(): void {
    const bytes = this.#bytes;
    this.#bytes = undefined;
    if (bytes !== undefined && !this.#stream.destroyed) {
      if (bytes.length > 0) pass(this.#stream, bytes.whole());
      if (this.#ends) pass(this.#stream, null);
    }
  }
}

function wait(session: Http2Session, body: HeldBody): void {
  const bodies = waiting.get(session);
  if (bodies !== undefined) bodies.push(body);
  else {
    waiting.set(session, [body]);
    readHandle(session)?.readStop();
    if (waiting.size === 1) void readWaiting();
  }
}

/** As many connections go on in each time slice as there is time for, one at least. */
async function readWaiting(): Promise<void> {
  const timeSlice = new TimeSlice();
  await timeSlice.next();
  for (const [session, bodies] of waiting) {
    // oxlint-disable-next-line no-await-in-loop -- others run meanwhile
    if (timeSlice.isOver) await timeSlice.next();
    waiting.delete(session);
    for (const body of bodies) body.release();
    readHandle(session)?.readStart();
  }
}

interface ReadHandle {
  readStart(): void;
  readStop(): void;
}

/** Sessions forbid to pause their socket, but not its handle, which they read from. */
function readHandle(session: Http2Session): ReadHandle | undefined {
  if (session.destroyed) return undefined;
  const { _handle: handle } = session.socket as unknown as { readonly _handle?: ReadHandle | null };
  return handle ?? undefined;
}
