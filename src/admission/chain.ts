import type {
  Admission,
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
  Invocation,
} from '../api/contracts/admission.ts';
import type { Soon } from '../api/scheduling/soon.ts';
import type { AdmissionMetrics, Observe } from './admission-metrics.ts';

type Run = (attributes: AdmissionAttributes, invocation: Invocation) => Soon<void>;

/** One plugin in one phase. */
interface Step {
  readonly run: Run;
  readonly observe: Observe;
}

/** The plugins of one phase and operation. */
interface Phase {
  readonly steps: readonly Step[];
  readonly observe: Observe;
}

const operations: readonly AdmissionOperation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** Calls the plugins in order; the first refusal ends the chain. */
export function admissionChain(plugins: readonly AdmissionPlugin[], metrics: AdmissionMetrics): Admission {
  const mutations = phasesOf(plugins, { type: 'admit', metrics }, (plugin) => plugin.mutate?.bind(plugin));
  const validations = phasesOf(plugins, { type: 'validate', metrics }, (plugin) => plugin.validate?.bind(plugin));
  return {
    mutate(attributes) {
      const phase = mutations[attributes.operation];
      return observed(phase, async () => {
        let again = false;
        await runAll(phase.steps, attributes, { isAgain: false, runAgain: () => (again = true) });
        if (again) await runAll(phase.steps, attributes, { isAgain: true, runAgain: () => undefined });
      });
    },
    validate(attributes) {
      const phase = validations[attributes.operation];
      return observed(phase, () => runAll(phase.steps, attributes, once));
    },
  };
}

const once: Invocation = { isAgain: false, runAgain: () => undefined };

type Phases = Readonly<Record<AdmissionOperation, Phase>>;

/** Plugins by the operations they handle: most plugins ignore most writes. */
function phasesOf(
  plugins: readonly AdmissionPlugin[],
  { type, metrics }: { readonly type: string; readonly metrics: AdmissionMetrics },
  runOf: (plugin: AdmissionPlugin) => Run | undefined,
): Phases {
  const phaseOf = (operation: AdmissionOperation): Phase => ({
    observe: metrics.ofPhase(type, operation),
    steps: plugins
      .filter((plugin) => plugin.operations.has(operation))
      .flatMap((plugin) => {
        const run = runOf(plugin);
        return run === undefined ? [] : [{ run, observe: metrics.ofPlugin(plugin.name, type, operation) }];
      }),
  });
  return Object.fromEntries(operations.map((operation) => [operation, phaseOf(operation)])) as Phases; // all of them
}

async function observed({ observe }: Phase, run: () => Promise<void>): Promise<void> {
  const beganMs = performance.now();
  let rejected = true;
  try {
    await run();
    rejected = false;
  } finally {
    observe(performance.now() - beganMs, rejected);
  }
}

async function runAll(steps: readonly Step[], attributes: AdmissionAttributes, invocation: Invocation): Promise<void> {
  let beganMs = performance.now();
  for (const { run, observe } of steps) {
    try {
      const pending = run(attributes, invocation);
      if (pending !== undefined) await pending;
    } catch (error) {
      observe(performance.now() - beganMs, true);
      throw error;
    }
    const endedMs = performance.now();
    observe(endedMs - beganMs, false);
    beganMs = endedMs;
  }
}
