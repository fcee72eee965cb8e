import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The bridge that connects pods, nodes and the server. */
export const bridge = 'pods';
/** The server's end of the bridge, and the pods' route to everything else. */
export const gateway = '10.244.0.1';
const prefixLength = 16;

/** `10.244.0.11` is the second node. */
export function nodeAddress(index: number): string {
  return `10.244.0.${10 + index}`;
}

/** Prepares the network namespace of the calling process; it must have no networks yet. */
export async function makeBridge(addresses: readonly string[]): Promise<void> {
  await run('mkdir', ['-p', '/run/netns']);
  await run('mount', ['-t', 'tmpfs', 'netns', '/run/netns']);
  await ip('link set lo up', `link add ${bridge} type bridge`, `addr add ${gateway}/${prefixLength} dev ${bridge}`);
  await ip(...addresses.map((address) => `addr add ${address}/32 dev ${bridge}`), `link set ${bridge} up`);
}

async function ip(...commands: readonly string[]): Promise<void> {
  for (const command of commands) await run('ip', command.split(' '));
}

let count = 0;

/** A network namespace with an address of its own. */
export class PodNetwork implements AsyncDisposable {
  readonly address: string;
  readonly #name: string;

  private constructor(index: number) {
    this.#name = `pod${index}`;
    this.address = `10.244.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
  }

  static async open(): Promise<PodNetwork> {
    const network = new PodNetwork(count);
    count += 1;
    const name = network.#name;
    await ip(
      `netns add ${name}`,
      `link add ${name} type veth peer name eth0 netns ${name}`,
      `link set ${name} master ${bridge} up`,
      `-n ${name} addr add ${network.address}/${prefixLength} dev eth0`,
      `-n ${name} link set eth0 up`,
      `-n ${name} link set lo up`,
      `-n ${name} route add default via ${gateway}`,
    );
    return network;
  }

  /** The beginning of a command that runs in it. */
  get command(): readonly string[] {
    return ['ip', 'netns', 'exec', this.#name];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await ip(`link delete ${this.#name}`, `netns delete ${this.#name}`);
  }
}
