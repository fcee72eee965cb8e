import { readdirSync, readFileSync } from 'node:fs';

/** Unit of `/proc/PID/stat`: Linux counts in hundredths of a second. */
const tickMs = 10;

/** User and system time of these processes, including all threads. */
export function cpuMs(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name in parentheses may contain spaces; utime and stime are fields 14 and 15, and the first after the
    // name is field 3.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  });
}

/** CPU time in microseconds, by the scheduler's clock. */
export interface ExactCpu {
  /** CPU time of the thread on which the event loop of Node runs. */
  readonly mainUs: number;
  /** CPU time of the threads that collect garbage, compile, read and write files. */
  readonly othersUs: number;
}

/** For differences that are smaller than a tick. Threads that have ended are not in it. */
export function exactCpu(pids: readonly number[]): ExactCpu {
  const usedUs = (pid: number, thread: number | string): number =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
  const others = (pid: number): readonly string[] =>
    readdirSync(`/proc/${pid}/task`).filter((thread) => thread !== String(pid));
  return {
    mainUs: sum(pids, (pid) => usedUs(pid, pid)),
    othersUs: sum(pids, (pid) => others(pid).reduce((total, thread) => total + usedUs(pid, thread), 0)),
  };
}

/** CPU time of all threads together. */
export function exactCpuUs(pids: readonly number[]): number {
  const { mainUs, othersUs } = exactCpu(pids);
  return mainUs + othersUs;
}

export function rssMiB(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    if (kib === undefined) throw new Error(`process ${pid} has no memory`);
    return Number(kib) / 1024;
  });
}

function sum(pids: readonly number[], of: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + of(pid), 0);
}
