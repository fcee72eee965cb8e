import { badRequest, serviceUnavailable } from '../../api/errors/status-errors.ts';
import { StatusError } from '../../api/errors/status.ts';
import { admitConnect } from '../../operations/connect.ts';
import { operationOf } from '../request/resource-request.ts';
import { ProxyError } from '../proxy/proxy-target.ts';
import type { Connect, ConnectParts, ConnectRequest, ConnectRow } from './connect-handler.ts';
import { connectOptions, proxyPath } from './connect-options.ts';

/** Admits a connection and makes it. */
export async function serveConnect(
  row: ConnectRow,
  request: ConnectRequest,
  { connect, parts }: { readonly connect: Connect; readonly parts: ConnectParts },
): Promise<void> {
  const { context, subresource } = request;
  const { info, query } = context;
  if (query.getAll('dryRun').length > 0) throw badRequest('dryRun is not supported');
  if (subresource === undefined) throw new Error(`${row.path} is not a subresource`);
  const path = row.takesPath ? { path: proxyPath(context.exchange.path, info.rest) } : {};
  const options = connectOptions(query, subresource, path);
  await admitConnect(operationOf(request), info.name, options);
  try {
    await connect(request, options, parts);
  } catch (error) {
    throw error instanceof ProxyError ? statusOf(error) : error;
  }
}

/** Failures that the reference does not name have no reason. */
function statusOf(error: ProxyError): StatusError {
  const { status, message } = error;
  if (status === 400) return badRequest(message);
  if (status === 503) return serviceUnavailable(message);
  return new StatusError({ code: 500, reason: '', message });
}
