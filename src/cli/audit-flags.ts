import type { AuditBackendConfig, AuditLogConfig, AuditWebhookConfig } from '../audit/audit-config.ts';
import type { ServerConfig } from '../server/config.ts';
import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { boolean, duration, type FlagType, integer, number, string } from './flag-types.ts';

type Backend = 'log' | 'webhook';
type Changes = Partial<AuditLogConfig & AuditWebhookConfig>;

/** Flags of audit. */
export const auditFlags: readonly BuiltFlag[] = [
  flag('audit-policy-file', {
    type: string,
    help: 'file of an audit.k8s.io/v1 Policy, which selects the audited requests and the level of their events',
    set: (file, { audit }) => ({ audit: { ...audit, policyFile: fileOf(file) } }),
  }),
  ofBackend('log', 'compress', boolean, 'compress rotated log files', (compress) => ({ compress })),
  ofBackend('log', 'format', string, 'json, or legacy for lines of text', (format) => ({ format })),
  ofBackend('log', 'maxage', integer, 'days to keep rotated log files; 0: forever', (maxAgeDays) => ({
    maxAgeDays,
  })),
  ofBackend('log', 'maxbackup', integer, 'number of rotated log files to keep; 0: all', (maxBackups) => ({
    maxBackups,
  })),
  ofBackend(
    'log',
    'maxsize',
    integer,
    'size in megabytes at which the log file is rotated; 0: never',
    (maxSizeMegabytes) => ({
      maxSizeMegabytes,
    }),
  ),
  ofBackend('log', 'path', string, 'file to write events to; -: standard output', (path) => ({
    path: path === '-' ? path : fileOf(path),
  })),
  ofBackend('webhook', 'config-file', string, 'kubeconfig of the server to send events to', (file) => ({
    configFile: fileOf(file),
  })),
  ofBackend('webhook', 'initial-backoff', duration, 'delay before the first retry', (ms) => ({
    initialBackoffMs: ms,
  })),
  ...(['log', 'webhook'] as const).flatMap(commonFlags),
];

function commonFlags(backend: Backend): readonly BuiltFlag[] {
  return [
    ofBackend(
      backend,
      'mode',
      string,
      'batch (requests do not wait for events), blocking or blocking-strict',
      (mode) => ({
        mode,
      }),
    ),
    ofBackend(backend, 'version', string, 'API version of the written events', (version) => ({ version })),

    ofBatch(backend, 'buffer-size', integer, 'maximum number of queued events', (bufferSize) => ({ bufferSize })),
    ofBatch(backend, 'max-size', integer, 'maximum number of events in a batch', (maxSize) => ({ maxSize })),
    ofBatch(backend, 'max-wait', duration, 'maximum time before an incomplete batch is written', (maxWaitMs) => ({
      maxWaitMs,
    })),
    ofBatch(backend, 'throttle-burst', integer, 'maximum burst of batches', (throttleBurst) => ({
      throttleBurst,
    })),
    ofBatch(backend, 'throttle-enable', boolean, 'limit the rate of batches', (throttle) => ({ throttle })),
    ofBatch(backend, 'throttle-qps', number, 'batches per second', (throttleQps) => ({ throttleQps })),

    ofTruncation(backend, 'enabled', boolean, 'remove objects from large events', (enabled) => ({ enabled })),
    ofTruncation(backend, 'max-batch-size', integer, 'maximum size of a batch in bytes', (maxBatchBytes) => ({
      maxBatchBytes,
    })),
    ofTruncation(backend, 'max-event-size', integer, 'maximum size of an event in bytes', (maxEventBytes) => ({
      maxEventBytes,
    })),
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
