import { decodedPath } from '../../http/request/decoded-path.ts';
import { snapshotPath } from '../../http/routes/snapshot-route.ts';
import { compactPath, defragPath } from '../../http/routes/upkeep-routes.ts';
import type { Exchange } from '../../http/transport/exchange.ts';

/**
 * What is answered for the process: requests for these paths, and for those below, are served by the first thread,
 * whichever has accepted them.
 */
const processPaths = [
  '/healthz',
  '/livez',
  '/readyz',
  '/metrics',
  '/debug',
  '/statusz',
  '/flagz',
  snapshotPath,
  compactPath,
  defragPath,
  '/api/v1/componentstatuses',
];

/** The list of paths contains each check of the first thread. */
const indexPaths = ['/', '/index.html'];

export function isOfProcess(exchange: Pick<Exchange, 'path'>): boolean {
  const path = decodedPath(exchange.path);
  return indexPaths.includes(path) || processPaths.some((own) => path === own || path.startsWith(`${own}/`));
}
