import type { Agent } from 'node:http';

/** Closes idle connections, and busy ones when their request has ended: `Agent.destroy` would end requests. */
export function retireAgent(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}
