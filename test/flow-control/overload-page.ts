import { availableParallelism, cpus } from 'node:os';
import type { OverloadReport } from './overload-run.ts';

interface Compared {
  readonly seconds: number;
  readonly own: OverloadReport;
  readonly reference: OverloadReport;
}

/** docs/overload.md: what both servers did in one run. */
export function overloadPage({ seconds, own, reference }: Compared): string {
  const rows = lines.map(({ title, of }) => `| ${title} | ${of(own, seconds)} | ${of(reference, seconds)} |`);
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version.slice(1)}`;
  return `# Overload

Fifty clients ask for lists of ${listed} as Tables, which are cheap to ask for and expensive to answer, for
${seconds} seconds without a pause: 49 of them with 6 requests at a time, a greedy one with 900 over 10 connections. Who is
refused asks again after 20 ms, whatever \`Retry-After\` says. Meanwhile the Lease of a leader is read (as
\`system:kube-scheduler\`) and somebody asks for \`/livez\`, both every 50 ms; a refusal would count as endless. Both
servers run with their default flags, Binnacle with one thread (\`--api-threads=1\`), one after the other, the clients on
the same machine.

Written by \`node test/flow-control/overload-run.ts --seconds ${seconds} --both docs/overload.md\` on
${new Date().toISOString().slice(0, 10)}: ${machine}.

| | Binnacle | kube-apiserver 1.37.1 |
|---|---|---|
${rows.join('\n')}

Memory is flat when it is the same in the last three fifths of the time as in the second one. At first it grows: V8
makes the young generation as large as the rate of allocations asks for, and responses that clients have not read yet
are held, up to a limit; none of it grows with the number of requests.

How seats and queues are divided, and how many seats there are, is told in
[a decision](decisions/0054-seats.md). \`npm run test:all\` runs a short version (\`test/flow-control/fairness.test.ts\`).
`;
}

const listed = '150 ConfigMaps';

const lines: readonly { readonly title: string; readonly of: (report: OverloadReport, seconds: number) => string }[] = [
  { title: 'requests served, per second', of: (report, seconds) => rate(servedBy(report), seconds) },
  { title: 'requests refused with 429, per second', of: ({ refused }, seconds) => rate(refused, seconds) },
  { title: 'asked for, in relation to served', of: (report) => times(1 + report.refused / servedBy(report)) },
  { title: 'other answers', of: ({ failed }) => String(failed) },
  { title: 'requests without an answer', of: ({ hung }) => String(hung) },
  { title: 'leader election, p50 / p99 / worst', of: ({ probes }) => latency(probes['leader election']) },
  { title: 'exempt requests, p50 / p99 / worst', of: ({ probes }) => latency(probes['exempt']) },
  { title: 'served to each of the 49: fewest / median / most', of: ({ modest }) => spread(modest) },
  { title: 'served to the greedy one', of: ({ greedy }) => String(greedy) },
  { title: 'resident memory before / at the most / after', of: ({ memory }) => memoryText(memory) },
  { title: 'last three fifths to the second one', of: ({ memory: { during } }) => ratio(during) },
];

function servedBy({ modest, greedy }: OverloadReport): number {
  return modest.reduce((sum, answers) => sum + answers, greedy);
}

function rate(count: number, seconds: number): string {
  return String(Math.round(count / seconds));
}

function times(value: number): string {
  return `${value.toFixed(1)} times`;
}

function latency(probe: OverloadReport['probes'][string] | undefined): string {
  return probe === undefined ? 'none' : `${probe.p50} / ${probe.p99} / ${probe.worst} ms`;
}

function spread(sorted: readonly number[]): string {
  return [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].join(' / ');
}

function memoryText({ before, during, after }: OverloadReport['memory']): string {
  return `${before} / ${Math.max(...during)} / ${after} MiB`;
}

/** The ratio of the averages. */
function ratio(during: readonly number[]): string {
  const part = (from: number, to: number): number => {
    const taken = during.slice(Math.floor(during.length * from), Math.floor(during.length * to));
    return taken.reduce((sum, each) => sum + each, 0) / taken.length;
  };
  return (part(0.4, 1) / part(0.2, 0.4)).toFixed(2);
}
