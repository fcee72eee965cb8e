import type { PartContext } from '../../api/contracts/part.ts';
import type { ConnectMetrics } from './connect-handler.ts';

/** Metrics of the reference. */
export function connectMetrics({ metric }: Pick<PartContext, 'metric'>): ConnectMetrics {
  const counter = (name: string, help: string, labelNames: readonly string[]) =>
    metric({ name, help, type: 'counter', labelNames });
  return {
    translated: counter(
      'apiserver_stream_translator_requests_total',
      'Streams to containers that were translated from WebSocket to SPDY, by status code.',
      ['code'],
    ),
    tunneled: counter(
      'apiserver_stream_tunnel_requests_total',
      'Port forwards that were tunneled through WebSockets, by status code.',
      ['code'],
    ),
    streaming: counter(
      'apiserver_websocket_streaming_requests_total',
      'Streams to pods, by subresource and by who speaks WebSocket with the client.',
      ['subresource', 'proxy_type'],
    ),
    unverifiedLogs: counter(
      'kube_apiserver_pod_logs_insecure_backend_total',
      'Requests for logs, by whether the certificate of the kubelet had to be valid.',
      ['usage'],
    ),
    failedLogs: counter(
      'kube_apiserver_pod_logs_backend_tls_failure_total',
      'Requests for logs that failed because the certificate of the kubelet was not valid.',
      [],
    ),
  };
}
