import type { AdmissionAttributes } from '../../../api/contracts/admission.ts';
import { type Soon } from '../../../api/scheduling/soon.ts';
import { type AuthorizerValue } from '../../../cel/libraries/authorizer.ts';
import { boundAuthorizer } from '../../../cel/libraries/bound-authorizer.ts';
import { Evaluator } from '../../expressions/evaluate.ts';
import { WrittenValues } from '../../matching/written-values.ts';
import { type PolicyInvocation, resolvingCandidates } from '../invocations.ts';
import { convertingObjects, metConditions } from '../invocation-parts.ts';
import { namespaceObjectOf } from '../namespace-object.ts';
import type { PolicyMetrics } from '../policy-metrics.ts';
import type { PolicyDispatch, PolicyDispatchContext } from '../policy-plugin.ts';
import type { Candidate } from '../policy-table.ts';
import { Enforcement } from './enforcement.ts';
import type { CompiledValidatingPolicy } from './validating-policy.ts';
import { failed, noVerdict, reachVerdict, type Verdict, type VerdictInput } from './verdict.ts';

type Invoked = PolicyInvocation<CompiledValidatingPolicy>;

export interface ValidatingContext extends PolicyDispatchContext {
  readonly metrics: PolicyMetrics;
}

/** State shared by the evaluations for one write. */
interface Write {
  readonly attributes: AdmissionAttributes;
  readonly values: WrittenValues;
  readonly authorizer: AuthorizerValue;
  readonly evaluator: Evaluator;
}

/** Evaluates all policies for a write; the first denial determines the response. */
export class ValidatingPolicyDispatch implements PolicyDispatch<CompiledValidatingPolicy> {
  readonly #context: ValidatingContext;

  constructor(context: ValidatingContext) {
    this.#context = context;
  }

  run(candidates: readonly Candidate<CompiledValidatingPolicy>[], attributes: AdmissionAttributes): Soon<void> {
    return this.#applying(candidates, attributes);
  }

  async #applying(
    candidates: readonly Candidate<CompiledValidatingPolicy>[],
    attributes: AdmissionAttributes,
  ): Promise<void> {
    const resolved = await resolvingCandidates(this.#context, candidates, attributes);
    if (resolved.length === 0) return;
    const enforcement = new Enforcement(attributes, this.#context.metrics);
    const values = new WrittenValues(attributes);
    const authorizer = boundAuthorizer(attributes.user, this.#context.authorizer);
    const write = { attributes, values, authorizer, evaluator: new Evaluator() };
    for (const each of resolved) {
      if ('message' in each) enforcement.misconfigured(each);
      else await this.#applyingEach(each, write, enforcement);
    }
    enforcement.complete();
  }

  async #applyingEach(invocation: Invoked, write: Write, enforcement: Enforcement): Promise<void> {
    const { policy, binding, version, params } = invocation;
    const objects = params.length === 0 ? undefined : await convertingObjects(write.values, version);
    if (typeof objects === 'string') {
      const message = `failed to configure binding: failed to convert object version: ${objects}`;
      enforcement.misconfigured({ policy, binding, message });
      return;
    }
    const namespaceObject = await namespaceObjectOf(this.#context, write.attributes);
    if (objects === undefined) return;
    const compiled = await policy.compiled();
    const { attributes, authorizer, evaluator } = write;
    for (const each of params) {
      const input = { attributes, authorizer, evaluator, objects, version, namespaceObject, params: each };
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const unmet = compiled.conditions.length === 0 ? undefined : await this.#unmet(invocation, compiled, input);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const verdict = unmet ?? (await reachVerdict(compiled, input));
      enforcement.add(policy, binding, verdict);
    }
  }

  /** The verdict when the conditions of a policy are not met. */
  async #unmet(
    invocation: Invoked,
    compiled: CompiledValidatingPolicy,
    input: VerdictInput,
  ): Promise<Verdict | undefined> {
    const result = await metConditions(this.#context, invocation, compiled, input);
    if (result === undefined || result.matches) return undefined;
    return result.failure === undefined || invocation.policy.failsOpen ? noVerdict : failed(result.failure);
  }
}
