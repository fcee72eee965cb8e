import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import { WatchEvent } from '../../watchcache/cache-event.ts';
import type { Exchange, ResponseStream } from '../transport/exchange.ts';
import { Bookmark } from '../forms/bookmark.ts';
import { Frame, FramePages } from './event-frames.ts';
import { type Notification, WatchStream } from './watch-stream.ts';

/** A client that accepts chunks only while it is `fast`. */
class Client {
  readonly chunks: string[] = [];
  readonly parts: Uint8Array[] = [];
  fast = true;
  closed = false;
  ended = false;
  tooSlow = 0;
  sentBytes = 0;
  readonly stream: WatchStream;
  #drained = Promise.withResolvers<void>();
  #onClose = (): void => undefined;

  constructor({ separate = false, pages }: { readonly separate?: boolean; readonly pages?: FramePages } = {}) {
    const isClosed = (): boolean => this.closed;
    const exchange = {
      get closed() {
        return isClosed();
      },
      onClose: (listener: () => void) => {
        this.#onClose = listener;
      },
      abort: () => this.close(),
    };
    const response: Partial<ResponseStream> = {
      separate,
      write: (chunk) => {
        this.chunks.push(Buffer.from(chunk).toString());
        this.parts.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk));
        return this.fast;
      },
      drained: () => (this.fast ? Promise.resolve() : this.#drained.promise),
      end: () => {
        this.ended = true;
      },
    };
    // What a stream uses of an exchange and its response.
    this.stream = new WatchStream(exchange as Exchange, response as ResponseStream, {
      encoder: {
        frame: (sent) =>
          sent instanceof Bookmark
            ? new Frame(Buffer.from(`#${sent.revision} `))
            : sent.frame('key', ({ entry }) => new Frame(Buffer.from(`${entry.key} `))),
        pages,
      },
      onSent: (sizeBytes) => (this.sentBytes += sizeBytes),
      onTooSlow: () => {
        this.tooSlow += 1;
      },
    });
  }

  get text(): string {
    return this.chunks.join('');
  }

  close(): void {
    this.closed = true;
    this.#onClose();
  }

  speedUp(): void {
    this.fast = true;
    this.#drained.resolve();
    this.#drained = Promise.withResolvers();
  }
}

function event(name: string, sizeBytes = 1): WatchEvent {
  return new WatchEvent('ADDED', new CacheEntry(name, new Uint8Array(sizeBytes), 1));
}

/** Batches of one event each; calls `onEnd` when the last one is requested. */
function* beginning(names: readonly string[], onEnd = (): void => undefined): Generator<readonly Notification[]> {
  for (const name of names) yield [event(name)];
  onEnd();
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await turn();
}

it('sends the initial events first, then those pushed meanwhile, in order', async () => {
  const client = new Client();
  client.stream.begin(beginning(['a', 'b', 'c']));
  client.stream.push(event('d'));
  client.stream.push(new Bookmark(7));
  client.stream.push(event('e'));
  await settle();
  expect(client.text).toBe('a b c d #7 e ');
  client.stream.push(event('f'));
  client.stream.end();
  await client.stream.done;
  expect(client.text).toBe('a b c d #7 e f ');
  expect(client.ended).toBe(true);
});

it('generates no more initial events than the client takes', async () => {
  const client = new Client({ separate: true });
  client.fast = false;
  let isMade = false;
  client.stream.begin(
    beginning(['a', 'b', 'c'], () => {
      isMade = true;
    }),
  );
  await settle();
  expect([client.text, isMade]).toEqual(['a ', false]);
  client.speedUp();
  await settle();
  expect([client.text, isMade]).toEqual(['a b c ', true]);
});

it('sends no later events after an incomplete beginning', async () => {
  const client = new Client({ separate: true });
  client.fast = false;
  client.stream.begin(beginning(['a', 'b', 'c']));
  client.stream.push(event('d'));
  await settle();
  client.stream.end();
  client.speedUp();
  await client.stream.done;
  expect([client.text, client.ended]).toEqual(['a ', true]);
});

it.each([
  ['events', 10_001, 1],
  ['bytes', 70, 1024 * 1024],
])('ends the watch of a client with too many pending %s', async (_, count, sizeBytes) => {
  const client = new Client();
  client.fast = false;
  client.stream.push(event('first'));
  await settle();
  for (let index = 0; index < count; index += 1) client.stream.push(event('x', sizeBytes));
  await client.stream.done;
  expect([client.closed, client.tooSlow, client.text]).toEqual([true, 1, 'first ']);
});

it('takes any number of events in a turn from a client that keeps up', async () => {
  const client = new Client();
  const value = new Uint8Array(1024 * 1024);
  for (let turns = 0; turns < 5; turns += 1) {
    for (let each = 0; each < 12_000; each += 1) {
      client.stream.push(new WatchEvent('ADDED', new CacheEntry('x', value, 1)));
    }
    await settle();
  }
  expect([client.closed, client.tooSlow, client.text.length]).toEqual([false, 0, 5 * 12_000 * 'x '.length]);
});

it.each(['pushed', 'resumed'])('writes a megabyte at most per turn, over all streams: %s', async (how) => {
  const clients = Array.from({ length: 24 }, () => new Client());
  const frame = event('x'.repeat(256 * 1024));
  if (how === 'resumed') {
    for (const client of clients) client.fast = false;
    for (const client of clients) client.stream.push(event('first'));
    await settle();
  }
  const before = how === 'resumed' ? 1 : 0;
  for (const client of clients) client.stream.push(frame);
  for (const client of clients) client.speedUp();
  let sent = 0;
  for (let turns = 0; turns < 100 && sent < clients.length; turns += 1) {
    await turn();
    const now = clients.filter(({ chunks }) => chunks.length > before).length;
    expect(now - sent).toBeLessThanOrEqual(4);
    sent = now;
  }
  expect(sent).toBe(clients.length);
});

it('gives watchers at different paces parts of the same pages', async () => {
  const pages = new FramePages();
  const [fast, slow] = [new Client({ pages }), new Client({ pages })];
  slow.fast = false;
  slow.stream.push(event('first'));
  await settle();
  const names = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(3000, '.'));
  for (const [index, name] of names.entries()) {
    const shared = event(name);
    for (const { stream } of [fast, slow]) stream.push(shared);
    if (index % 7 === 0) await settle();
  }
  slow.speedUp();
  await settle();
  const text = names.map((name) => `${name} `).join('');
  expect(fast.text).toBe(text);
  expect(slow.text).toBe(`first ${text}`);
  expect(slow.sentBytes).toBe(slow.text.length);
  const pagesOf = ({ parts }: Client): Set<ArrayBufferLike> =>
    new Set(parts.filter(({ length }) => length > 10_000).map(({ buffer }) => buffer));
  expect(pagesOf(slow).size).toBeGreaterThan(0);
  expect([...pagesOf(slow)].every((page) => pagesOf(fast).has(page))).toBe(true);
});
