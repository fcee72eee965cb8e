import { resolve } from 'node:path';
import type { AuditBackendConfig, AuditLogConfig, AuditWebhookConfig } from '../audit/audit-config.ts';
import type { ServerConfig } from '../server/config.ts';
import { type BuiltFlag, flag } from './flag.ts';
import { boolean, duration, type FlagType, integer, number, string } from './flag-types.ts';

type Backend = 'log' | 'webhook';
type Changes = Partial<AuditLogConfig & AuditWebhookConfig>;

/** Flags of audit. */
export const auditFlags: readonly BuiltFlag[] = [
  flag('audit-policy-file', {
    type: string,
    help: 'file of an audit.k8s.io/v1 Policy: which requests are audited, and how much events tell',
    set: (file, { audit }) => ({ audit: { ...audit, policyFile: fileOrNone(file) } }),
  }),
  ofBackend('log', 'compress', boolean, 'compress log files that are full', (compress) => ({ compress })),
  ofBackend('log', 'format', string, 'json, or legacy: a line of text', (format) => ({ format })),
  ofBackend('log', 'maxage', integer, 'days that full log files are kept; 0: for ever', (maxAgeDays) => ({
    maxAgeDays,
  })),
  ofBackend('log', 'maxbackup', integer, 'full log files that are kept; 0: all', (maxBackups) => ({ maxBackups })),
  ofBackend('log', 'maxsize', integer, 'megabytes after which a log file is full; 0: never', (maxSizeMegabytes) => ({
    maxSizeMegabytes,
  })),
  ofBackend('log', 'path', string, 'file that events are written to; -: standard output', (path) => ({
    path: path === '-' ? path : fileOrNone(path),
  })),
  ofBackend('webhook', 'config-file', string, 'kubeconfig of the server that events are sent to', (file) => ({
    configFile: fileOrNone(file),
  })),
  ofBackend('webhook', 'initial-backoff', duration, 'how long to wait before events are sent again', (ms) => ({
    initialBackoffMs: ms,
  })),
  ...(['log', 'webhook'] as const).flatMap(commonFlags),
];

function commonFlags(backend: Backend): readonly BuiltFlag[] {
  return [
    ofBackend(backend, 'mode', string, 'batch: nobody waits for events; blocking, blocking-strict', (mode) => ({
      mode,
    })),
    ofBackend(backend, 'version', string, 'version that events are written in', (version) => ({ version })),
    ...[
      ofBatch(backend, 'buffer-size', integer, 'events that wait at most', (bufferSize) => ({ bufferSize })),
      ofBatch(backend, 'max-size', integer, 'events in a batch at most', (maxSize) => ({ maxSize })),
      ofBatch(backend, 'max-wait', duration, 'how long events wait for others', (maxWaitMs) => ({ maxWaitMs })),
      ofBatch(backend, 'throttle-burst', integer, 'batches at once after a rest', (throttleBurst) => ({
        throttleBurst,
      })),
      ofBatch(backend, 'throttle-enable', boolean, 'limit the rate of batches', (throttle) => ({ throttle })),
      ofBatch(backend, 'throttle-qps', number, 'batches per second', (throttleQps) => ({ throttleQps })),
    ],
    ...[
      ofTruncation(backend, 'enabled', boolean, 'take objects out of large events', (enabled) => ({ enabled })),
      ofTruncation(backend, 'max-batch-size', integer, 'bytes of a batch', (maxBatchBytes) => ({ maxBatchBytes })),
      ofTruncation(backend, 'max-event-size', integer, 'bytes of an event', (maxEventBytes) => ({ maxEventBytes })),
    ],
  ];
}

// One line a flag.
// oxlint-disable-next-line max-params
function ofBackend<T>(
  backend: Backend,
  name: string,
  type: FlagType<T>,
  help: string,
  changes: (value: T, before: AuditBackendConfig) => Changes,
): BuiltFlag {
  return flag(`audit-${backend}-${name}`, {
    type,
    help,
    set: (value, { audit }: ServerConfig) => ({
      audit: { ...audit, [backend]: { ...audit[backend], ...changes(value, audit[backend]) } },
    }),
  });
}

// oxlint-disable-next-line max-params
function ofBatch<T>(
  backend: Backend,
  name: string,
  type: FlagType<T>,
  help: string,
  changes: (value: T) => Partial<AuditBackendConfig['batch']>,
): BuiltFlag {
  return ofBackend(backend, `batch-${name}`, type, `${help} (batch mode)`, (value, { batch }) => ({
    batch: { ...batch, ...changes(value) },
  }));
}

// oxlint-disable-next-line max-params
function ofTruncation<T>(
  backend: Backend,
  name: string,
  type: FlagType<T>,
  help: string,
  changes: (value: T) => Partial<AuditBackendConfig['truncate']>,
): BuiltFlag {
  return ofBackend(backend, `truncate-${name}`, type, help, (value, { truncate }) => ({
    truncate: { ...truncate, ...changes(value) },
  }));
}

function fileOrNone(file: string): string | undefined {
  return file === '' ? undefined : resolve(file);
}
