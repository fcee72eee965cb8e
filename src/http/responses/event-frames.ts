/** Large enough for one write of most events that are due together. */
const pageBytes = 64 * 1024;
/** Older pages are forgotten: clients that are behind may be due few of the events on each. */
const keptPages = 256;
const idleMs = 1000;

/** An encoded event, and where a copy of it stands among those of other events. */
export class Frame {
  readonly bytes: Uint8Array;
  page: FramePage | undefined;
  /** On the page. */
  position = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Whether its copy stands behind that of `other`. */
  follows(other: Frame): boolean {
    return (
      other.page !== undefined && this.page === other.page && this.position === other.position + other.bytes.length
    );
  }
}

class FramePage {
  /** Undefined when the page is forgotten: frames that wait for slow clients keep their own bytes only. */
  bytes: Buffer | undefined = Buffer.allocUnsafeSlow(pageBytes);
  used = 0;
}

/**
 * Copies of frames, one behind the other in the order in which they were sent first. Watchers that are sent the same
 * events at different paces are due different runs of them; each run is a part of a page, so that nothing is
 * concatenated for a watcher: what would be, the garbage collector has to find again, for each write.
 *
 *     page    | a | b | c | d |
 *     watcher 1 is due a b, later c d; watcher 2 is due a b c, later d
 */
export class FramePages {
  #page: FramePage | undefined;
  /** Older pages, which frames that are still to be sent refer to. */
  #older: WeakRef<FramePage>[] = [];

  /** Copies a frame that has no copy. One that takes up most of a page has no use for it. */
  place(frame: Frame): void {
    const { bytes } = frame;
    if (frame.page !== undefined || bytes.length > pageBytes / 2) return;
    const last = this.#page;
    const page = last === undefined || last.used + bytes.length > pageBytes ? this.#begin() : last;
    page.bytes?.set(bytes, page.used);
    frame.page = page;
    frame.position = page.used;
    page.used += bytes.length;
  }

  #begin(): FramePage {
    // Where little is written, no page is kept.
    if (this.#page === undefined) setTimeout(() => (this.#page = undefined), idleMs).unref();
    const page = new FramePage();
    this.#page = page;
    if (this.#older.push(new WeakRef(page)) > keptPages) {
      const oldest = this.#older.shift()?.deref();
      if (oldest !== undefined) oldest.bytes = undefined;
    }
    return page;
  }
}

const pagesOfOwners = new WeakMap<object, Map<string, FramePages>>();

/** The pages of the events of `owner` in one representation. */
export function framePages(owner: object, representation: string): FramePages {
  let byName = pagesOfOwners.get(owner);
  if (byName === undefined) {
    byName = new Map();
    pagesOfOwners.set(owner, byName);
  }
  let pages = byName.get(representation);
  if (pages === undefined) {
    pages = new FramePages();
    byName.set(representation, pages);
  }
  return pages;
}

let lastGroup: readonly Frame[] = [];
let lastJoined: Uint8Array = new Uint8Array();

/** Frames as one chunk. */
export function joined(group: readonly Frame[], sizeBytes: number): Uint8Array {
  const [first] = group;
  if (group.length === 1 && first !== undefined) return first.bytes;
  const bytes = first?.page?.bytes;
  if (first !== undefined && bytes !== undefined && isRun(group)) {
    return bytes.subarray(first.position, first.position + sizeBytes);
  }
  // Watchers of the same resource often send the same frames in succession.
  if (group.length !== lastGroup.length || group.some((frame, index) => frame !== lastGroup[index])) {
    lastGroup = group;
    const parts = group.map((frame) => frame.bytes);
    lastJoined = Buffer.concat(parts, sizeBytes);
  }
  return lastJoined;
}

function isRun(group: readonly Frame[]): boolean {
  let before: Frame | undefined;
  for (const frame of group) {
    if (before !== undefined && !frame.follows(before)) return false;
    before = frame;
  }
  return true;
}
