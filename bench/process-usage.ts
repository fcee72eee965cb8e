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

/** The same in microseconds and by the scheduler's clock, for differences that are smaller than a tick. Threads that have ended are not in it. */
export function exactCpuUs(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const threads = readdirSync(`/proc/${pid}/task`);
    const usedNs = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    return usedNs.reduce((total, ns) => total + Number(ns), 0) / 1_000;
  });
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
