import type { AdmissionAttributes, Invocation } from '../../../api/contracts/admission.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts';
import { secondsSince } from '../../../api/time/seconds-since.ts';
import { StatusError } from '../../../api/errors/status.ts';
import type { AuthorizerValue } from '../../../cel/libraries/authorizer.ts';
import { boundAuthorizer } from '../../../cel/libraries/bound-authorizer.ts';
import { maxObjectCost } from '../../../cel/rules/limits.ts';
import { expressionBindings } from '../../expressions/bindings.ts';
import { Evaluator } from '../../expressions/evaluate.ts';
import { readObject, WrittenVersions } from '../../matching/written-versions.ts';
import type { PluginContext } from '../../plugin-context.ts';
import { Reinvocation } from '../../reinvocation.ts';
import { convertingObjects, metConditions } from '../invocation-parts.ts';
import { type PolicyInvocation, resolvingCandidates } from '../invocations.ts';
import { namespaceObjectOf } from '../namespace-object.ts';
import type { Params } from '../params.ts';
import type { PolicyMetrics } from '../policy-metrics.ts';
import type { PolicyDispatch, PolicyDispatchContext } from '../policy-plugin.ts';
import type { Candidate } from '../policy-table.ts';
import { PolicyDenials } from './denials.ts';
import type { CompiledMutatingPolicy, CompiledMutation } from './mutating-policy.ts';
import { mutatedBy, type MutationResult } from './mutate.ts';
import { mutatedObject } from './mutated-object.ts';
import { MutationError } from './mutation-error.ts';
import type { Inputs } from './input-types.ts';

type Invoked = PolicyInvocation<CompiledMutatingPolicy>;

export interface MutatingContext extends PolicyDispatchContext {
  readonly resourceOfKind: PluginContext['resourceOfKind'];
  readonly metrics: PolicyMetrics;
}

/** State shared by the applications of policies to one write. */
interface Write {
  readonly attributes: AdmissionAttributes;
  readonly versions: WrittenVersions;
  readonly authorizer: AuthorizerValue;
  readonly namespaceObject: JsonObject | null;
  readonly denials: PolicyDenials;
  readonly state: Reinvocation;
  readonly pass: Invocation;
  readonly evaluator: Evaluator;
}

/** Applies policies one after the other, each to the object as the one before has left it. */
export class MutatingPolicyDispatch implements PolicyDispatch<CompiledMutatingPolicy> {
  readonly #context: MutatingContext;
  readonly #reinvocations = new WeakMap<AdmissionAttributes, Reinvocation>();

  constructor(context: MutatingContext) {
    this.#context = context;
  }

  async run(
    candidates: readonly Candidate<CompiledMutatingPolicy>[],
    attributes: AdmissionAttributes,
    pass: Invocation,
  ): Promise<void> {
    const denials = new PolicyDenials();
    const versions = new WrittenVersions(attributes);
    const invocations: Invoked[] = [];
    for (const each of await resolvingCandidates(this.#context, candidates, attributes)) {
      if ('message' in each) {
        denials.add(each);
        continue;
      }
      // oxlint-disable-next-line no-await-in-loop -- converted once for all
      const objects = await convertingObjects(versions.values, each.version);
      if (typeof objects !== 'string') invocations.push(each);
      else denials.add({ policy: each.policy, binding: undefined, message: `failed to configure policy: ${objects}` });
    }
    if (invocations.length > 0) await this.#applyAll(invocations, { attributes, versions, denials, pass });
    const error = denials.error(attributes);
    if (error !== undefined) throw error;
  }

  async #applyAll(
    invocations: readonly Invoked[],
    shared: Pick<Write, 'attributes' | 'versions' | 'denials' | 'pass'>,
  ): Promise<void> {
    const { attributes, pass } = shared;
    const state = this.#reinvocations.get(attributes) ?? new Reinvocation();
    this.#reinvocations.set(attributes, state);
    // Built-in plugins may have changed the object since.
    if (pass.isAgain && state.isChanged(attributes.object)) state.changed();
    const { exposed: namespaceObject } = await namespaceObjectOf(this.#context, attributes);
    const authorizer = boundAuthorizer(attributes.user, this.#context.authorizer);
    const write = { ...shared, authorizer, namespaceObject, state, evaluator: new Evaluator() };
    let isMutated = false;
    for (const invocation of invocations) {
      for (const params of invocation.params) {
        // oxlint-disable-next-line no-await-in-loop -- each sees the changes of the previous one
        if (await this.#apply(invocation, params, write)) isMutated = true;
      }
    }
    // Mutations that change nothing count as well.
    if (isMutated) {
      state.changed();
      pass.runAgain();
    }
    state.keep(attributes.object);
  }

  /** Whether any mutation of a policy succeeded. */
  async #apply(invocation: Invoked, params: Params, write: Write): Promise<boolean> {
    const { policy, version } = invocation;
    const { attributes, versions, denials, state, pass } = write;
    const compiled = await policy.compiled();
    const objects = await versions.values.in(version.kind);
    const conditions = await metConditions(this.#context, invocation, compiled, { ...write, objects, params });
    if (conditions?.failure !== undefined) {
      denials.add({ ...invocation, message: conditions.failure }, 'Invalid');
      return false;
    }
    if (conditions?.matches === false) return false;
    const id = idOf(invocation, params);
    // A policy is never applied for the first time in the second pass.
    if (pass.isAgain && !state.isDue(id)) return false;
    let isMutated = false;
    for (const mutation of attributes.object === undefined ? [] : compiled.mutations) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (await this.#mutate(invocation, { mutation, compiled, params }, write)) isMutated = true;
    }
    if (compiled.reinvokes) state.invoked(id);
    return isMutated;
  }

  /** Whether it succeeded; counts it. Throws a StatusError for broken objects, whatever the failure policy. */
  async #mutate(invocation: Invoked, evaluated: Evaluated, write: Write): Promise<boolean> {
    const { metrics } = this.#context;
    const beganMs = performance.now();
    const count = (message?: string): void => metrics.count({ ...invocation, seconds: secondsSince(beganMs), message });
    try {
      const before = await objectFor(evaluated.mutation, invocation, write);
      const requested = write.attributes.objectKind;
      const mutated = mutatedObject(this.#context, invocation.version, { object: before, requested });
      const result = await this.#resultOf(invocation, evaluated, write);
      const object = mutatedBy(mutated, evaluated.mutation, result);
      if (object !== undefined) {
        await write.attributes.replaceObject(object);
        write.versions.forget();
      }
      count();
      return true;
    } catch (error) {
      if (!(error instanceof MutationError || error instanceof StatusError)) throw error;
      count(error.message);
      if (error instanceof StatusError) throw error;
      write.denials.add({ ...invocation, message: error.message }, 'Invalid');
      return false;
    }
  }

  /** The result of the expression of a mutation. Throws a MutationError. */
  async #resultOf(
    { version }: Invoked,
    { mutation, compiled, params }: Evaluated,
    write: Write,
  ): Promise<MutationResult> {
    const { attributes, versions, authorizer, namespaceObject, evaluator } = write;
    if ('message' in mutation.expression) throw new MutationError(mutation.expression.message);
    const objects = await versions.values.in(version.kind);
    const { variables } = compiled;
    const bindings = expressionBindings({
      attributes,
      objects,
      version,
      authorizer,
      namespaceObject,
      params,
      variables,
    });
    const outcome = await evaluator.evaluate([mutation.expression], bindings, maxObjectCost);
    if (outcome.failure !== undefined) throw new MutationError(outcome.failure);
    const [result] = outcome.results;
    if (result?.failure !== undefined) throw new MutationError(result.failure);
    const inputs = (): Inputs => ({
      ...objects,
      namespaceObject,
      params,
      request: bindings.bindings['request'] ?? null,
      areStructs: compiled.conditions.length > 0,
    });
    return { value: result?.value ?? null, inputs };
  }
}

interface Evaluated {
  readonly mutation: CompiledMutation;
  readonly compiled: CompiledMutatingPolicy;
  readonly params: Params;
}

/** The object that a mutation changes: patches are about its JSON. */
async function objectFor(
  { patchType }: CompiledMutation,
  { version }: Invoked,
  { versions }: Write,
): Promise<JsonValue> {
  if (patchType === 'ApplyConfiguration') return (await versions.values.in(version.kind)).object;
  return await readObject(await versions.in(version.kind));
}

/** Identifies an application of a policy. */
function idOf({ policy, binding }: Invoked, params: Params): string {
  const metadata = isJsonObject(params?.['metadata']) ? params['metadata'] : {};
  const { name = '', namespace = '' } = metadata;
  return JSON.stringify([policy.name, binding.name, namespace, name]);
}
