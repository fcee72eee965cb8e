import { formatMs } from '../../api/time/duration.ts';
import { logSite } from '../../api/contracts/log.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { ListOptions } from '../request/request-options.ts';

const site = logSite('responses/logged-watch.ts');
const verbosity = 3;

/** A line when a watch begins: the one about its request comes when it ends. */
export function logWatch(context: RequestContext, options: ListOptions, timeoutMs: number): void {
  const { log, exchange, auditId, info } = context;
  if (!log.enabled(verbosity, site)) return;
  const values = {
    path: exchange.path,
    resourceVersion: options.resourceVersion,
    labels: options.labelSelector,
    fields: options.fieldSelector === '' && info.name !== '' ? `metadata.name=${info.name}` : options.fieldSelector,
    sendInitialEvents: options.sendInitialEvents ?? null,
    timeout: formatMs(timeoutMs),
    'audit-ID': auditId,
  };
  log.write({ site, severity: 'info', verbosity, message: 'Starting watch', values });
}
