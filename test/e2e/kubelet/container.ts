import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { ContainerLog } from './container-log.ts';

export interface ContainerOptions {
  /** An empty folder of its own. */
  readonly root: string;
  /** The beginning of a command that runs in the pod's network; empty for that of the node. */
  readonly networkCommand: readonly string[];
  /** Files and folders of this machine by their path in the container. */
  readonly mounts: ReadonlyMap<string, string>;
  readonly command: readonly string[];
  readonly environment: { readonly [name: string]: string };
  readonly workingFolder: string;
  readonly user: { readonly id: number; readonly groupId: number; readonly otherGroupIds: readonly number[] };
}

export interface ExitState {
  readonly exitCode: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
}

/**
 * Makes the root folder of a container, which has the tools of this machine, and becomes its process:
 * ROOT USER:GROUP OTHER_GROUPS WORKING_FOLDER [FROM TO]... -- COMMAND...
 */
const script = `set -e
root=$1 user=$2 groups=$3 folder=$4
shift 4
mount -t tmpfs container "$root"
for name in proc dev usr/bin usr/sbin usr/lib usr/lib64; do
  [ -d "/$name" ] || continue
  mkdir -p "$root/$name"
  mount --rbind "/$name" "$root/$name"
done
for name in bin sbin lib lib64; do ln -s "usr/$name" "$root/$name"; done
mkdir -m 1777 "$root/tmp"
mkdir "$root/root"
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir -p "$root$2"; else mkdir -p "$root$(dirname "$2")"; touch "$root$2"; fi
  mount --bind "$1" "$root$2"
  shift 2
done
shift
mkdir -p "$root$folder"
exec chroot --userspec="$user" --groups="$groups" "$root" env -C "$folder" "$@"`;

/** A process in a mount namespace with a root folder of its own, and in the network of its pod. */
export class Container {
  readonly log = new ContainerLog();
  readonly startedAtMs = Date.now();
  /** Fulfilled when it has ended. */
  readonly exit: Promise<ExitState>;
  readonly #child: ChildProcess;
  readonly #options: ContainerOptions;

  private constructor(child: ChildProcess, options: ContainerOptions) {
    this.#child = child;
    this.#options = options;
    this.exit = this.#exited();
  }

  static async start(options: ContainerOptions): Promise<Container> {
    const { root, networkCommand, mounts, command, environment, workingFolder, user } = options;
    await mkdir(root, { recursive: true });
    const identity = [`${user.id}:${user.groupId}`, user.otherGroupIds.join(',')];
    const args = [
      root,
      ...identity,
      workingFolder,
      ...[...mounts].flatMap(([to, from]) => [from, to]),
      '--',
      ...command,
    ];
    const [program = '', ...rest] = [...networkCommand, 'unshare', '--mount', 'sh', '-c', script, 'container', ...args];
    // In a process group of its own, so that whatever it starts ends with it.
    const child = spawn(program, rest, { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    await once(child, 'spawn');
    return new Container(child, options);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Runs a command in it, as its user. */
  exec(command: readonly string[], stdin: 'ignore' | 'pipe'): ChildProcess {
    const { user, environment } = this.#options;
    const entered = ['--target', String(this.#child.pid), '--mount', '--net', '--root', '--wd'];
    entered.push('--setuid', String(user.id), '--setgid', String(user.groupId));
    const child = spawn('nsenter', [...entered, '--', ...command], {
      env: environment,
      stdio: [stdin, 'pipe', 'pipe'],
    });
    // A command may end without reading its input.
    child.stdin?.on('error', () => child.stdin?.destroy());
    return child;
  }

  /** Asks it to end, and kills it after the time. */
  async stop(gracePeriodMs: number): Promise<ExitState> {
    this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), gracePeriodMs);
    const state = await this.exit;
    clearTimeout(timer);
    return state;
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.isRunning && this.#child.pid !== undefined) process.kill(-this.#child.pid, signal);
  }

  async #exited(): Promise<ExitState> {
    const { stdout, stderr } = this.#child;
    const read = this.log.read([stdout, stderr].filter((stream) => stream !== null));
    const [code, signal] = (await once(this.#child, 'exit')) as [number | null, NodeJS.Signals | null];
    await read;
    // As a shell tells the end by a signal.
    const exitCode = code ?? (signal === 'SIGKILL' ? 137 : 143);
    return { exitCode, startedAtMs: this.startedAtMs, finishedAtMs: Date.now() };
  }
}
