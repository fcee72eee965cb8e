import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { DamagedStoreError } from './damage.ts';
import { LogDatabase } from './log-database.ts';
import { OldFormatError } from './old-format-error.ts';
import type {
  LogResponse,
  LogCalls,
  LogFailure,
  LogRequest,
  LogRow,
  WorkerMessage,
  WorkerOptions,
} from './protocol.ts';
import { packRows, transfersOf, unpackRows } from './row-block.ts';
import { UpkeepLoop } from './upkeep-loop.ts';

/** The thread that owns SQLite: it opens the log, sends its contents, then answers requests one by one. */

const loadBlockBytes = 1 << 20;
const loadBlockRows = 4096;

type SliceRequest = LogCalls['slice']['request'];

class LogWorker {
  readonly #port: MessagePort;
  readonly #log: LogDatabase;
  readonly #upkeep: UpkeepLoop;
  #closed = false;

  constructor(port: MessagePort, log: LogDatabase) {
    this.#port = port;
    this.#log = log;
    this.#upkeep = new UpkeepLoop(log, {
      afterWrite: () => this.#checkpoint(),
      // If the disk is full, the next compaction or start tries again.
      failed: (error) => this.#closeUnlessFull(error),
    });
  }

  start(load: boolean): void {
    if (load) {
      this.#log.verifyStructure();
      this.#sendLive();
    }
    this.#send({ type: 'opened', opened: this.#log.opened() });
    this.#port.on('message', (call: { readonly id: number; readonly request: LogRequest }) =>
      this.#serve(call.id, call.request),
    );
    this.#upkeep.start();
  }

  #sendLive(): void {
    let rows: LogRow[] = [];
    let sizeBytes = 0;
    const flush = (): void => {
      const block = packRows(rows);
      this.#send({ type: 'rows', rows: block }, transfersOf(block));
      rows = [];
      sizeBytes = 0;
    };
    for (const row of this.#log.live()) {
      rows.push(row);
      sizeBytes += row.value?.length ?? 0;
      if (sizeBytes >= loadBlockBytes || rows.length >= loadBlockRows) flush();
    }
    if (rows.length > 0) flush();
  }

  #serve(id: number, request: LogRequest): void {
    try {
      if (request.type === 'slice') return this.#answerSlice(id);
      const { response, transfers } = this.#respond(request);
      this.#send({ type: 'response', id, response }, transfers);
    } catch (error) {
      if (this.#fail(id, error) === 'broken') this.#close();
      return;
    }
    if (request.type === 'append') this.#checkpoint();
    if (request.type === 'compact') this.#upkeep.start();
    if (request.type === 'close') this.#close();
  }

  /** Answers when the next slice of upkeep is done. */
  #answerSlice(id: number): void {
    this.#upkeep.afterSlice({
      done: (response) => this.#send({ type: 'response', id, response }),
      failed: (error) => void this.#fail(id, error),
    });
  }

  #fail(id: number, error: unknown): LogFailure['code'] {
    const failure = failureOf(error);
    this.#send({ type: 'failure', id, failure });
    return failure.code;
  }

  #respond(request: Exclude<LogRequest, SliceRequest>): {
    readonly response: LogResponse;
    readonly transfers?: ArrayBuffer[];
  } {
    switch (request.type) {
      case 'append':
        this.#log.append(unpackRows(request.rows));
        return { response: request.rows.bytes.buffer, transfers: [request.rows.bytes.buffer] };
      case 'changes': {
        const { rows, scannedRevision } = this.#log.changes(request);
        const changes = packRows(rows);
        const previous = packRows(rows.flatMap((row) => this.#log.row(row.previousRevision) ?? []));
        return { response: { changes, previous, scannedRevision }, transfers: transfersOf(changes, previous) };
      }
      case 'earlier': {
        const first = [...this.#log.firstChanges(request)];
        const absent = first.flatMap(([key, previous]) => (previous === 0 ? [key] : []));
        const rows = packRows(first.flatMap(([, previous]) => this.#log.row(previous) ?? []));
        return { response: { rows, absent }, transfers: transfersOf(rows) };
      }
      case 'compact':
        this.#log.compact(request.revision);
        return { response: null };
      case 'defragment':
        this.#upkeep.defragment();
        return { response: { surplusBytes: this.#log.surplusBytes } };
      case 'close':
        this.#log.close();
        return { response: null };
    }
  }

  #checkpoint(): void {
    try {
      this.#log.checkpointWhenDue();
    } catch (error) {
      this.#closeUnlessFull(error);
    }
  }

  #closeUnlessFull(error: unknown): void {
    if (failureOf(error).code !== 'full') this.#close();
  }

  /** Ends the thread: nothing keeps it alive once the port is closed. */
  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#upkeep.stop();
    try {
      this.#log.close();
    } catch {
      // Already closed by a `close` request, or broken: the engine reopens it.
    }
    this.#port.close();
  }

  #send(message: WorkerMessage, transfers: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfers);
  }
}

/** https://sqlite.org/rescode.html */
const sqliteFull = 13;
const sqliteBusy = 5;

function failureOf(error: unknown): LogFailure {
  return {
    code: failureCode(error),
    message: error instanceof Error ? error.message : String(error),
  };
}

function failureCode(error: unknown): LogFailure['code'] {
  if (error instanceof DamagedStoreError) return 'damaged';
  if (error instanceof OldFormatError) return 'old-format';
  return sqliteCode(error) === sqliteFull ? 'full' : 'broken';
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return undefined;
  return error.errcode & 0xff;
}

function run(port: MessagePort, options: WorkerOptions): void {
  try {
    new LogWorker(port, new LogDatabase(options.path, options)).start(options.load);
  } catch (error) {
    const inUse = sqliteCode(error) === sqliteBusy;
    const why = error instanceof Error ? error.message : String(error);
    const message = inUse ? 'it is in use by another process' : why;
    port.postMessage({ type: 'refused', inUse, message } satisfies WorkerMessage);
    port.close();
  }
}

if (parentPort !== null) run(parentPort, workerData as WorkerOptions); // passed by log-client.ts
