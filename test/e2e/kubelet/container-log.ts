import type { Readable } from 'node:stream';
import { linesOf } from '../../api-client.ts';

interface Line {
  readonly atMs: number;
  readonly text: string;
}

export interface LogOptions {
  readonly follow: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number;
  readonly sinceMs: number;
}

/** What a container writes, line by line. */
export class ContainerLog {
  readonly #lines: Line[] = [];
  #ended = false;
  #changed = Promise.withResolvers<void>();

  /** Reads until all have ended. */
  async read(streams: readonly Readable[]): Promise<void> {
    await Promise.all(
      streams.map(async (stream) => {
        for await (const text of linesOf(stream)) this.#add(text);
      }),
    );
    this.#ended = true;
    this.#changed.resolve();
  }

  #add(text: string): void {
    this.#lines.push({ atMs: Date.now(), text });
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** As the API returns it; with `follow` until the container ends. */
  async *text({ follow, timestamps, tailLines, sinceMs }: LogOptions): AsyncGenerator<string> {
    for (let at = Math.max(0, this.#lines.length - tailLines); ;) {
      for (; at < this.#lines.length; at += 1) {
        const { atMs, text } = this.#lines[at] as Line; // in bounds
        if (atMs < sinceMs) continue;
        yield timestamps ? `${new Date(atMs).toISOString()} ${text}\n` : `${text}\n`;
      }
      if (this.#ended || !follow) return;
      await this.#changed.promise;
    }
  }
}
