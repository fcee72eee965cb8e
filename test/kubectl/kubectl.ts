import { execFileSync, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { startTestServer, type TestServer } from '../server-fixture.ts';

const release = 'v1.37.';
const candidates = [
  'kubectl',
  join(process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference'), 'kubectl'),
];

/** Path of a kubectl of our release; undefined if there is none. */
export const kubectlPath = candidates.find((path) => {
  try {
    const output = execFileSync(path, ['version', '--client', '--output=yaml'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.toString('utf8').includes(`gitVersion: ${release}`);
  } catch {
    // Missing, or not a program.
    return false;
  }
});

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly input?: string;
  readonly env?: { readonly [name: string]: string };
}

type Command<T> = (words: TemplateStringsArray, ...values: readonly string[]) => Promise<T>;

/**
 * Runs kubectl as the administrator. Commands are template strings: spaces separate arguments, a value is an argument
 * or part of one.
 */
export class Kubectl {
  readonly #namespace: string;
  readonly #options: RunOptions;
  /** Set before the first test. */
  server: Pick<TestServer, 'kubeconfigPath' | 'scratchDir'> | undefined;

  constructor(namespace: string, options: RunOptions = {}) {
    this.#namespace = namespace;
    this.#options = options;
  }

  /** This kubectl with standard input or environment variables. */
  with(options: RunOptions): Kubectl {
    const other = new Kubectl(this.#namespace, options);
    other.server = this.server;
    return other;
  }

  /** Standard output of a command; throws for a non-zero exit code. */
  readonly run: Command<string> = async (words, ...values) => {
    const { code, stdout, stderr } = await this.result(words, ...values);
    if (code !== 0) throw new Error(`kubectl ${String.raw(words, ...values)} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  };

  /** Runs a command given as a list of arguments. */
  async words(args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.#spawn(args);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** Standard error of a failing command. */
  readonly fails: Command<string> = async (words, ...values) => {
    const { code, stdout, stderr } = await this.result(words, ...values);
    if (code === 0) throw new Error(`kubectl ${String.raw(words, ...values)} succeeded: ${stdout}`);
    return stderr;
  };

  readonly result: Command<Result> = (words, ...values) => this.#spawn(splitWords(words, values));

  async #spawn(args: readonly string[]): Promise<Result> {
    if (this.server === undefined || kubectlPath === undefined) throw new Error('there is no server or no kubectl');
    const { kubeconfigPath, scratchDir } = this.server;
    const child = spawn(kubectlPath, ['--namespace', this.#namespace, ...args], {
      env: {
        PATH: process.env['PATH'],
        HOME: scratchDir,
        KUBECACHEDIR: join(scratchDir, 'cache'),
        KUBECONFIG: kubeconfigPath,
        ...this.#options.env,
      },
    });
    child.stdin.end(this.#options.input);
    const [stdout, stderr, code] = await Promise.all([
      readStream(child.stdout),
      readStream(child.stderr),
      new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject)),
    ]);
    return { code, stdout, stderr };
  }
}

async function readStream(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) text += String(chunk);
  return text;
}

function splitWords(words: TemplateStringsArray, values: readonly string[]): string[] {
  const args: string[] = [];
  let word = '';
  words.raw.forEach((text, index) => {
    const [first = '', ...rest] = text.split(/\s+/);
    word += first;
    for (const next of rest) {
      if (word !== '') args.push(word);
      word = next;
    }
    word += values[index] ?? '';
  });
  if (word !== '') args.push(word);
  return args;
}

/** Whether to skip for lack of kubectl; an error where skipping is forbidden. */
export function skipWithoutKubectl(): boolean {
  if (kubectlPath === undefined && process.env['CI'] === 'true') {
    throw new Error(`there is no kubectl ${release}x on the PATH or in the folder of the reference`);
  }
  return kubectlPath === undefined;
}

/** Tests with kubectl: with their own server and an empty namespace. */
export function describeKubectl(namespace: string, tests: (kubectl: Kubectl) => void): void {
  const skip = skipWithoutKubectl();
  const title = skip ? `kubectl (skipped: no kubectl ${release}x)` : 'kubectl';
  describe.skipIf(skip)(title, () => {
    const kubectl = new Kubectl(namespace);
    let server: TestServer | undefined;
    beforeAll(async () => {
      server = await startTestServer();
      kubectl.server = server;
      await kubectl.run`create namespace ${namespace}`;
    });
    afterAll(() => server?.[Symbol.asyncDispose]());
    tests(kubectl);
  });
}

/** A manifest in this directory. */
export function manifest(name: string): string {
  return join(import.meta.dirname, 'manifests', name);
}
