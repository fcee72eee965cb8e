import type { Progress } from '../storage/upkeep.ts';

/** Where progress is shown: standard error, if a person looks at it. */
export interface Terminal {
  /** Width in characters. */
  readonly columns: () => number;
  readonly write: (text: string) => void;
}

/** Rewritten at most so often. */
const rewriteEveryMs = 100;
/** While nothing is reported. */
const waitingEveryMs = 1000;

/**
 * One line that is rewritten while work goes on, and gone when it has ended:
 * `compacting: 12,000 of 40,000 revisions (30 %), 8,100/s`. Without a terminal nothing is written.
 */
export class ProgressLine implements Disposable {
  readonly #name: string;
  readonly #terminal: Terminal | undefined;
  readonly #now: () => number;
  readonly #beganMs: number;
  readonly #waiting: NodeJS.Timeout | undefined;
  #writtenMs = -Infinity;
  #shown = false;
  #latest: ShownProgress | undefined;

  constructor(name: string, terminal: Terminal | undefined, now = () => performance.now()) {
    this.#name = name;
    this.#terminal = terminal;
    this.#now = now;
    this.#beganMs = now();
    if (terminal !== undefined) this.#waiting = setInterval(() => this.#write(), waitingEveryMs).unref();
  }

  /** Call it as often as convenient. */
  show(progress: ShownProgress): void {
    this.#latest = progress;
    if (this.#terminal === undefined || this.#now() - this.#writtenMs < rewriteEveryMs) return;
    this.#write();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#waiting);
    if (this.#shown) this.#terminal?.write(clearLine);
    this.#shown = false;
  }

  #write(): void {
    const nowMs = this.#now();
    this.#writtenMs = nowMs;
    const text = `${this.#name}: ${describe(this.#latest, (nowMs - this.#beganMs) / 1000)}`;
    const columns = this.#terminal?.columns() ?? 0;
    // Back at its beginning, so that a line of the log takes its place.
    this.#terminal?.write(`${clearLine}${columns > 1 ? text.slice(0, columns - 1) : text}\r`);
    this.#shown = true;
  }
}

/** Without a total, if nobody knows it. */
export type ShownProgress = Pick<Progress, 'done' | 'unit'> & { readonly total?: number | undefined };

/** Back to its beginning, and erased (ECMA-48). */
const clearLine = '\r\u001b[K';

function describe(progress: ShownProgress | undefined, seconds: number): string {
  if (progress === undefined) return `${Math.round(seconds)} s`;
  const { done, total, unit } = progress;
  const amount = unit === 'bytes' ? sizeText : countText;
  const rate = seconds > 0 ? `, ${amount(done / seconds)}/s` : '';
  const unitText = unit === 'bytes' ? '' : ` ${unit}`;
  if (total === undefined) return `${amount(done)}${unitText}${rate}`;
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return `${amount(done)} of ${amount(total)}${unitText} (${percent} %)${rate}`;
}

function countText(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

const sizeUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

function sizeText(bytes: number): string {
  let power = 0;
  while (bytes >= 1024 && power < sizeUnits.length - 1) {
    bytes /= 1024;
    power += 1;
  }
  return `${power === 0 ? Math.round(bytes) : bytes.toFixed(1)} ${sizeUnits[power]}`;
}
