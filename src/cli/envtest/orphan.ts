/** Set by the scripts of the folder, which see their parent before it can have ended. */
export const parentVariable = 'BINNACLE_ENVTEST_PARENT';

/** Nothing tells a process that its parent has ended: that it has another one has to be looked up. */
const checkEveryMs = 200;

/** The process that starts the programs of a test, which live no longer than it does. */
export class Parent {
  readonly #pid: number;

  constructor(environment: NodeJS.ProcessEnv = process.env) {
    this.#pid = Number(environment[parentVariable] ?? process.ppid);
  }

  get hasEnded(): boolean {
    return process.ppid !== this.#pid;
  }

  onEnd(ended: () => void): void {
    const timer = setInterval(() => {
      if (!this.hasEnded) return;
      clearInterval(timer);
      ended();
    }, checkEveryMs);
    timer.unref();
  }
}
