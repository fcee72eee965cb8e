import { connect } from 'node:http2';

/**
 * A forked process with an IPC channel: `node readiness-probe.ts URL`. It requests `/readyz` every 20 ms on its own
 * connection, without waiting for earlier responses, and answers every message with its results since the last one. It
 * has no credentials.
 */
export interface ProbeReport {
  readonly worstMs: number;
  readonly medianMs: number;
  readonly answers: number;
  /** Responses other than 200, and requests without a response. */
  readonly failures: number;
}

const everyMs = 20;
/** A hanging server must not make this process grow. */
const mostUnderWay = 90;

const session = connect(process.argv[2] ?? '', { rejectUnauthorized: false });
session.on('error', () => process.exit(1));
session.on('close', () => process.exit(0));

const underWay = new Set<number>();
let latencies: number[] = [];
let failures = 0;

function ask(): void {
  if (underWay.size >= mostUnderWay || session.destroyed) return;
  const startMs = performance.now();
  underWay.add(startMs);
  const stream = session.request({ ':path': '/readyz' });
  let code = 0;
  stream.on('response', (headers) => (code = Number(headers[':status'])));
  stream.on('error', () => undefined);
  stream.on('close', () => {
    underWay.delete(startMs);
    latencies.push(performance.now() - startMs);
    if (code !== 200) failures += 1;
  });
  stream.resume();
}

/** Pending requests have waited at least this long. */
function report(): ProbeReport {
  const now = performance.now();
  const all = [...latencies, ...[...underWay].map((startMs) => now - startMs)].sort((a, b) => a - b);
  const seen = {
    worstMs: all.at(-1) ?? 0,
    medianMs: all[all.length >> 1] ?? 0,
    answers: latencies.length,
    failures,
  };
  latencies = [];
  failures = 0;
  return seen;
}

session.once('connect', () => {
  setInterval(ask, everyMs);
  process.on('message', () => process.send?.(report()));
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
});
