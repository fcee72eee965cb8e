import type {
  Admission,
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
  Invocation,
} from '../api/admission.ts';
import type { Soon } from '../api/soon.ts';

type Step = (attributes: AdmissionAttributes, invocation: Invocation) => Soon<void>;

const operations: readonly AdmissionOperation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** Calls the plugins in order; the first refusal ends the chain. */
export function admissionChain(plugins: readonly AdmissionPlugin[]): Admission {
  const mutations = stepsOf(plugins, (plugin) => plugin.mutate?.bind(plugin));
  const validations = stepsOf(plugins, (plugin) => plugin.validate?.bind(plugin));
  return {
    async mutate(attributes) {
      const steps = mutations[attributes.operation];
      let again = false;
      await runAll(steps, attributes, { isAgain: false, runAgain: () => (again = true) });
      if (again) await runAll(steps, attributes, { isAgain: true, runAgain: () => undefined });
    },
    validate: (attributes) => runAll(validations[attributes.operation], attributes, once),
  };
}

const once: Invocation = { isAgain: false, runAgain: () => undefined };

type Steps = Readonly<Record<AdmissionOperation, readonly Step[]>>;

/** Plugins by the operations they handle: most plugins ignore most writes. */
function stepsOf(plugins: readonly AdmissionPlugin[], stepOf: (plugin: AdmissionPlugin) => Step | undefined): Steps {
  const stepsFor = (operation: AdmissionOperation): readonly Step[] =>
    plugins
      .filter((plugin) => plugin.operations.has(operation))
      .map(stepOf)
      .filter((step) => step !== undefined);
  return Object.fromEntries(operations.map((operation) => [operation, stepsFor(operation)])) as Steps; // all of them
}

async function runAll(steps: readonly Step[], attributes: AdmissionAttributes, invocation: Invocation): Promise<void> {
  for (const step of steps) {
    const pending = step(attributes, invocation);
    if (pending !== undefined) await pending;
  }
}
