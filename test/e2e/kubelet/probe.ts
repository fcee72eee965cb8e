import { once } from 'node:events';
import { connect } from 'node:net';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Container } from './container.ts';
import type { ContainerSpec, Probe } from './pod.ts';

interface Probed {
  readonly spec: ContainerSpec;
  readonly container: Container;
  /** The pod's. */
  readonly address: string;
}

/** Asks whether a container is ready until it ends, and calls `onChange` when the answer changes. */
export async function probeReadiness(
  probe: Probe,
  probed: Probed,
  onChange: (isReady: boolean) => void,
): Promise<void> {
  const { initialDelaySeconds = 0, periodSeconds = 10, successThreshold = 1, failureThreshold = 3 } = probe;
  let isReady = false;
  let opposing = 0;
  await sleep(initialDelaySeconds * 1000);
  for (; probed.container.isRunning; await sleep(periodSeconds * 1000)) {
    const succeeded = await attempt(probe, probed);
    opposing = succeeded === isReady ? 0 : opposing + 1;
    if (opposing < (succeeded ? successThreshold : failureThreshold)) continue;
    if (opposing === 0) continue;
    isReady = succeeded;
    opposing = 0;
    onChange(isReady);
  }
}

async function attempt(probe: Probe, probed: Probed): Promise<boolean> {
  const signal = AbortSignal.timeout((probe.timeoutSeconds ?? 1) * 1000);
  try {
    if (probe.httpGet !== undefined) return await getSucceeds(probe.httpGet, probed, signal);
    if (probe.exec !== undefined) return await commandSucceeds(probe.exec.command, probed, signal);
    if (probe.tcpSocket !== undefined) return await connects(portOf(probe.tcpSocket.port, probed), probed, signal);
  } catch {
    // Whatever went wrong: the container is not ready.
    return false;
  }
  throw new Error(`the type of a probe of ${probed.spec.name} is not supported`);
}

async function getSucceeds(
  { path = '/', port, scheme = 'HTTP' }: NonNullable<Probe['httpGet']>,
  probed: Probed,
  signal: AbortSignal,
): Promise<boolean> {
  const to = { host: probed.address, port: portOf(port, probed), path, signal, agent: false };
  const call = scheme === 'HTTPS' ? tlsRequest({ ...to, rejectUnauthorized: false }) : plainRequest(to);
  call.end();
  const [response] = await once(call, 'response', { signal });
  response.resume();
  return response.statusCode >= 200 && response.statusCode < 400;
}

async function commandSucceeds(command: readonly string[], { container }: Probed, signal: AbortSignal) {
  const child = container.exec(command, 'ignore');
  child.stdout?.resume();
  child.stderr?.resume();
  const [code] = await once(child, 'exit', { signal });
  return code === 0;
}

async function connects(port: number, { address }: Probed, signal: AbortSignal): Promise<boolean> {
  const socket = connect({ host: address, port });
  try {
    await once(socket, 'connect', { signal });
    return true;
  } finally {
    socket.destroy();
  }
}

function portOf(port: number | string, { spec }: Probed): number {
  if (typeof port === 'number') return port;
  const named = spec.ports?.find(({ name }) => name === port);
  if (named === undefined) throw new Error(`${spec.name} has no port ${port}`);
  return named.containerPort;
}
