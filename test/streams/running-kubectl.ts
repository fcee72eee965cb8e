import { spawn } from 'node:child_process';
import { kubectlPath } from '../kubectl/kubectl.ts';
import type { TestServer } from '../server-fixture.ts';
import { onTerminal, type TerminalSize } from './terminal.ts';

export interface RunningKubectl {
  /** Resolves when the output has this in it; rejects if kubectl ends without it. */
  until(wanted: string | RegExp): Promise<readonly string[]>;
  /** Standard input, or what is typed on the terminal. */
  type(text: string): void;
  /** The exit code. */
  readonly ended: Promise<number | null>;
  end(): void;
}

export interface KubectlOptions {
  readonly env?: NodeJS.Dict<string>;
  /** Runs on a terminal of this size. */
  readonly terminal?: TerminalSize;
}

/** kubectl in the namespace `streams`, while it runs. */
export function startKubectl(
  server: TestServer,
  args: readonly string[],
  { env = {}, terminal }: KubectlOptions = {},
): RunningKubectl {
  const kubectl = kubectlPath ?? 'kubectl';
  const words = ['--namespace', 'streams', ...args];
  const command = terminal === undefined ? ([kubectl, words] as const) : onTerminal([kubectl, ...words], terminal);
  const child = spawn(...command, {
    env: { PATH: process.env['PATH'], HOME: server.scratchDir, KUBECONFIG: server.kubeconfigPath, ...env },
  });
  let output = '';
  const heard: (() => void)[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      for (const listener of heard) listener();
    });
  }
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  return {
    ended,
    until(wanted) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const found = typeof wanted === 'string' ? (output.includes(wanted) ? [wanted] : null) : wanted.exec(output);
          if (found !== null) resolve([...found]);
        };
        heard.push(look);
        void ended.then((code) => reject(new Error(`kubectl ${args.join(' ')} ended with ${code}: ${output}`)));
        look();
      });
    },
    type: (text) => void child.stdin.write(text),
    end: () => child.kill('SIGKILL'),
  };
}
