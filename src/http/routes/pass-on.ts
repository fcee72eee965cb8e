import { goPath, goQuery } from '../../api/go/go-request-url.ts';
import { joinHostPort } from '../../api/text/host-port.ts';
import { once } from '../../api/collections/kept-by.ts';
import { LateRequestError } from '../../api/errors/status-errors.ts';
import type { CallAddress } from '../../outgoing/call-address.ts';
import { PlainFailure } from '../responses/plain-failure.ts';
import type { ProxyError, ProxyTarget } from '../proxy/proxy-target.ts';
import type { RequestContext } from '../request/request-context.ts';

/** The API server that a request is passed on to. */
export interface PassTarget
  extends CallAddress, Pick<ProxyTarget, 'upstream' | 'headers' | 'front' | 'upgradeOnly' | 'refusesRedirects'> {}

export interface PassOptions {
  /** How long all of the answer may take; undefined: any time. */
  readonly timeoutMs: number | undefined;
  /** Whether a late answer makes the request late (504); otherwise it is as good as none (503). */
  readonly isTimed: boolean;
  answered?(status: number): void;
  failed?(error: ProxyError): void;
}

/** Imported by the first request that needs it. */
const proxy = once(async () => {
  const [{ proxyRequest }, { ProxyError }] = await Promise.all([
    import('../proxy/reverse-proxy.ts'),
    import('../proxy/proxy-target.ts'),
  ]);
  return { proxyRequest, ProxyError };
});

/** Passes a request on, to the same path. */
export async function passOn(context: RequestContext, target: PassTarget, options: PassOptions): Promise<void> {
  const { exchange, commonHeaders } = context;
  const { timeoutMs, isTimed } = options;
  const { proxyRequest, ProxyError } = await proxy();
  const path = { path: goPath(exchange.path), query: goQuery(exchange.query) };
  try {
    await proxyRequest(
      exchange,
      { ...target, ...path, secure: true, hostHeader: joinHostPort(target) },
      {
        commonHeaders,
        onStatus: (status) => options.answered?.(status),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      },
    );
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    options.failed?.(error);
    if (error.isTimeout && isTimed) throw new LateRequestError();
    throw new PlainFailure(503, error.message);
  }
}
