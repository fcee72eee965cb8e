/** Which requests are audited, and where events are sent. */
export interface AuditConfig {
  /** The file of an audit.k8s.io/v1 Policy; undefined: nothing is audited. */
  readonly policyFile: string | undefined;
  readonly log: AuditLogConfig;
  readonly webhook: AuditWebhookConfig;
}

const auditModes = ['batch', 'blocking', 'blocking-strict'] as const;

/** What both backends have. */
export interface AuditBackendConfig {
  /** One of `auditModes`. */
  readonly mode: string;
  readonly batch: BatchConfig;
  readonly truncate: TruncateConfig;
  /** The version that events are written in: `audit.k8s.io/v1`. */
  readonly version: string;
}

export interface BatchConfig {
  /** Events that wait at most. */
  readonly bufferSize: number;
  readonly maxSize: number;
  readonly maxWaitMs: number;
  readonly throttle: boolean;
  /** Batches per second. */
  readonly throttleQps: number;
  readonly throttleBurst: number;
}

export interface TruncateConfig {
  readonly enabled: boolean;
  readonly maxBatchBytes: number;
  readonly maxEventBytes: number;
}

export interface AuditLogConfig extends AuditBackendConfig {
  /** `-`: standard output; undefined: no log. */
  readonly path: string | undefined;
  /** `json` or `legacy`. */
  readonly format: string;
  readonly maxAgeDays: number;
  readonly maxBackups: number;
  readonly maxSizeMegabytes: number;
  readonly compress: boolean;
}

export interface AuditWebhookConfig extends AuditBackendConfig {
  /** A kubeconfig; undefined: no webhook. */
  readonly configFile: string | undefined;
  readonly initialBackoffMs: number;
}

export const auditVersion = 'audit.k8s.io/v1';
const truncate: TruncateConfig = { enabled: false, maxBatchBytes: 10_485_760, maxEventBytes: 102_400 };

export const auditDefaults: AuditConfig = {
  policyFile: undefined,
  log: {
    path: undefined,
    format: 'json',
    maxAgeDays: 366,
    maxBackups: 100,
    maxSizeMegabytes: 100,
    compress: false,
    mode: 'blocking',
    batch: { bufferSize: 10_000, maxSize: 1, maxWaitMs: 0, throttle: false, throttleQps: 0, throttleBurst: 0 },
    truncate,
    version: auditVersion,
  },
  webhook: {
    configFile: undefined,
    initialBackoffMs: 10_000,
    mode: 'batch',
    batch: { bufferSize: 10_000, maxSize: 400, maxWaitMs: 30_000, throttle: true, throttleQps: 10, throttleBurst: 15 },
    truncate,
    version: auditVersion,
  },
};

/** Why flags are invalid, in the reference's words. */
export function auditProblems({ log, webhook }: AuditConfig): readonly string[] {
  return [
    ...(log.path === undefined ? [] : [...backendProblems('log', log), ...logProblems(log)]),
    ...(webhook.configFile === undefined ? [] : backendProblems('webhook', webhook)),
  ];
}

function backendProblems(name: string, config: AuditBackendConfig): readonly string[] {
  const { maxEventBytes, maxBatchBytes } = config.truncate;
  const problems = [modeProblem(name, config) ?? batchProblem(name, config)];
  if (maxEventBytes <= 0) {
    problems.push(`invalid audit truncate ${name} max event size ${maxEventBytes}, must be a positive number`);
  } else if (maxBatchBytes < maxEventBytes) {
    const rule = `must be greater than max event size (${maxEventBytes})`;
    problems.push(`invalid audit truncate ${name} max batch size ${maxBatchBytes}, ${rule}`);
  }
  if (config.version !== auditVersion) {
    problems.push(`invalid group version, allowed versions are ["${auditVersion}"]`);
  }
  return problems.filter((problem) => problem !== undefined);
}

function modeProblem(name: string, { mode }: AuditBackendConfig): string | undefined {
  if (auditModes.some((each) => each === mode)) return undefined;
  return `invalid audit ${name} mode ${mode}, allowed modes are ${JSON.stringify(auditModes.join(','))}`;
}

function batchProblem(name: string, { mode, batch }: AuditBackendConfig): string | undefined {
  if (mode !== 'batch') return undefined;
  const { bufferSize, maxSize, throttle, throttleQps, throttleBurst } = batch;
  const checked: readonly (readonly [what: string, value: number])[] = [
    ['buffer size', bufferSize],
    ['max batch size', maxSize],
    ...(throttle ? [['throttle QPS', throttleQps] as const, ['throttle burst', throttleBurst] as const] : []),
  ];
  const wrong = checked.find(([, value]) => value <= 0);
  return wrong && `invalid audit batch ${name} ${wrong[0]} ${wrong[1]}, must be a positive number`;
}

function logProblems({ format, maxAgeDays, maxBackups, maxSizeMegabytes }: AuditLogConfig): readonly string[] {
  const problems: string[] = [];
  if (format !== 'json' && format !== 'legacy') {
    problems.push(`invalid audit log format ${format}, allowed formats are "legacy,json"`);
  }
  const counts = { maxage: maxAgeDays, maxbackup: maxBackups, maxsize: maxSizeMegabytes };
  for (const [flag, value] of Object.entries(counts)) {
    if (value < 0) problems.push(`--audit-log-${flag} ${value} can't be a negative number`);
  }
  return problems;
}
