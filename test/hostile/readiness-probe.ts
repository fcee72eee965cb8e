import { connect } from 'node:http2';

/**
 * A process of its own: `node readiness-probe.ts URL`, forked with a channel. It asks for `/readyz` every 20 ms on its own connection, whether or not
 * earlier answers have come, and answers every message with what it has seen since the last one. It has no credentials.
 */
export interface ProbeReport {
  readonly worstMs: number;
  readonly medianMs: number;
  readonly answers: number;
  /** Answers other than 200, and requests without one. */
  readonly failures: number;
}

const everyMs = 20;
/** A server that hangs must not make this process grow. */
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

/** Those without an answer yet have waited at least so long. */
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
