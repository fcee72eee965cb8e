import type { Component } from '../../http/virtual/component-statuses.ts';

const timeoutMs = 5000;

/** The control plane components of the reference; Binnacle's own store stands in for etcd. */
export function controlPlaneComponents(stores: readonly Component[]): readonly Component[] {
  return [
    { name: 'scheduler', check: () => checkHealth('127.0.0.1', 10_259) },
    { name: 'controller-manager', check: () => checkHealth('127.0.0.1', 10_257) },
    ...stores,
  ];
}

/** Checks a process on this machine without verifying its certificate. */
async function checkHealth(host: string, port: number): Promise<void> {
  const url = `https://${host}:${port}/healthz`;
  const { request } = await import('node:https');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const requested = request(url, { rejectUnauthorized: false, timeout: timeoutMs }, (response) => {
    response.resume();
    if (response.statusCode === 200) resolve();
    else reject(new Error(`unhealthy http status code: ${response.statusCode}`));
  });
  requested.once('timeout', () => requested.destroy(new Error('net/http: request canceled (Client.Timeout exceeded)')));
  requested.once('error', (error) => {
    const refused = 'code' in error && error.code === 'ECONNREFUSED';
    reject(
      new Error(`Get "${url}": ${refused ? `dial tcp ${host}:${port}: connect: connection refused` : error.message}`),
    );
  });
  requested.end();
  await promise;
}
