import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { onTerminal } from './terminal.ts';

export interface ProgramStreams {
  readonly isTty: boolean;
  write(stream: 'stdout' | 'stderr', data: Buffer): void;
  ended(code: number): void;
}

/** A program that a kubelet runs in a container, on a terminal if it is asked for. */
export class ContainerProgram {
  readonly #command: readonly string[];
  readonly #streams: ProgramStreams;
  #child: ChildProcessWithoutNullStreams | undefined;
  /** What has come before the size of the terminal. */
  readonly #early: { readonly data: Buffer; readonly isLast: boolean }[] = [];

  constructor(command: readonly string[], streams: ProgramStreams) {
    this.#command = command;
    this.#streams = streams;
  }

  /** All streams are open. A terminal begins with its size. */
  start({ hasInput }: { readonly hasInput: boolean }): void {
    const [program = '', ...args] = this.#command;
    if (!this.#streams.isTty) this.#run(program, args);
    if (!hasInput) this.#child?.stdin.end();
  }

  /** `{"Width":90,"Height":30}` */
  resize(message: Buffer): void {
    if (this.#child !== undefined || message.length === 0) return;
    const { Width, Height } = JSON.parse(message.toString()) as { readonly Width: number; readonly Height: number };
    this.#run(...onTerminal(this.#command, { columns: Width, rows: Height }));
  }

  input(data: Buffer, isLast: boolean): void {
    if (this.#child === undefined) {
      this.#early.push({ data, isLast });
      return;
    }
    this.#child.stdin.write(data);
    if (isLast) this.#child.stdin.end();
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  #run(program: string, args: readonly string[]): void {
    const child = spawn(program, args);
    this.#child = child;
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (data: Buffer) => this.#streams.write('stdout', data));
    child.stderr.on('data', (data: Buffer) => this.#streams.write('stderr', data));
    child.once('error', () => this.#streams.ended(127));
    child.once('close', (code) => this.#streams.ended(code ?? 137));
    for (const { data, isLast } of this.#early.splice(0)) this.input(data, isLast);
  }
}
