import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.ts';

/**
 * | fault | effect |
 * |---|---|
 * | kill | kill -9, restarted at the end |
 * | stop | SIGTERM, restarted at the end |
 * | pause | SIGSTOP, SIGCONT at the end: connections stay open and nothing answers |
 * | stall | a link transmits nothing until the end |
 * | cut | the connections of a link are closed, and new ones refused until the end |
 * | compact | the store discards all history |
 * | throw | all threads of a server but the first one throw what nothing catches |
 * | disconnect | all clients lose their connections |
 */
export type Fault = 'kill' | 'stop' | 'pause' | 'stall' | 'cut' | 'compact' | 'disconnect' | 'throw';

export interface FaultTarget {
  readonly name: string;
  readonly faults: readonly Fault[];
  begin(fault: Fault): Promise<void>;
  heal(fault: Fault): Promise<void>;
}

export interface PlannedFault {
  readonly target: string;
  readonly fault: Fault;
  /** After the end of the previous fault. */
  readonly afterMs: number;
  readonly lastsMs: number;
  /** A second fault during this one. */
  readonly meanwhile?: Pick<PlannedFault, 'target' | 'fault'>;
}

/** Faults without a duration. */
const momentary: readonly Fault[] = ['compact', 'disconnect', 'throw'];

/** A sequence of faults for about `durationMs`, some with another one during them, determined by the seed. */
export function planFaults(
  targets: readonly Pick<FaultTarget, 'name' | 'faults'>[],
  { durationMs, random }: { readonly durationMs: number; readonly random: Random },
): readonly PlannedFault[] {
  const plan: PlannedFault[] = [];
  const choices = targets.flatMap(({ name, faults }) => faults.map((fault) => ({ target: name, fault })));
  for (let atMs = 0; ;) {
    const { target, fault } = random.pick(choices);
    const afterMs = random.integer(300, 1500);
    const lastsMs = random.integer(0, fault === 'pause' || fault === 'stall' ? 2500 : 600);
    atMs += afterMs + lastsMs;
    if (atMs > durationMs) return plan;
    const second = random.pick(choices.filter((choice) => momentary.includes(choice.fault)));
    // Without etcd nothing can be compacted.
    const together = random.chance(0.3) && !momentary.includes(fault) && !target.startsWith('etcd');
    plan.push({ target, fault, afterMs, lastsMs, ...(together ? { meanwhile: second } : {}) });
  }
}

/** Carries out the plan; at the end all faults are over. */
export async function carryOut(plan: readonly PlannedFault[], targets: readonly FaultTarget[]): Promise<void> {
  const targetOf = (name: string): FaultTarget => {
    const target = targets.find((candidate) => candidate.name === name);
    if (target === undefined) throw new Error(`nothing is called ${name}`);
    return target;
  };
  for (const { target, fault, afterMs, lastsMs, meanwhile } of plan) {
    await sleep(afterMs);
    await targetOf(target).begin(fault);
    await sleep(lastsMs);
    if (meanwhile !== undefined) await targetOf(meanwhile.target).begin(meanwhile.fault);
    await targetOf(target).heal(fault);
  }
}
