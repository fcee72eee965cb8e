import type { AdmissionAttributes, ServedVersion } from '../../api/contracts/admission.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import { StatusError } from '../../api/errors/status.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import { type MatchCriteria, matchedByName } from '../matching/match-criteria.ts';
import { requestedVersion } from '../matching/resource-rules.ts';
import { isSelectedBy } from '../matching/selectors.ts';
import { type Params, type ParamSource, PolicyConfigurationError } from './params.ts';
import type { Candidate } from './policy-table.ts';
import type { Policy, PolicyBinding } from './policy.ts';

/** A policy that a binding applies to a write, once for each of its parameters. */
export interface PolicyInvocation<Compiled> {
  readonly policy: Policy<Compiled>;
  readonly binding: PolicyBinding;
  /** In which expressions see the objects. */
  readonly version: ServedVersion;
  readonly params: readonly Params[];
}

/** A policy, or one of its bindings, that cannot be applied. */
export interface PolicyMisconfiguration<Compiled> {
  readonly policy: Policy<Compiled>;
  readonly binding: PolicyBinding | undefined;
  readonly message: string;
}

export type Resolved<Compiled> = PolicyInvocation<Compiled> | PolicyMisconfiguration<Compiled>;

export interface ResolvingContext {
  readonly stored: StoredObjects;
  readonly params: ParamSource;
}

/** The results of the candidates for one write, in order. */
export async function resolvingCandidates<Compiled>(
  context: ResolvingContext,
  candidates: readonly Candidate<Compiled>[],
  attributes: AdmissionAttributes,
): Promise<readonly Resolved<Compiled>[]> {
  const resolved: Resolved<Compiled>[] = [];
  for (const candidate of candidates) await resolveCandidate(context, candidate, { attributes, resolved });
  return resolved;
}

interface Resolution<Compiled> {
  readonly attributes: AdmissionAttributes;
  readonly resolved: Resolved<Compiled>[];
}

async function resolveCandidate<Compiled>(
  context: ResolvingContext,
  candidate: Candidate<Compiled>,
  { attributes, resolved }: Resolution<Compiled>,
): Promise<void> {
  const { policy, bindings } = candidate;
  const version = matchedByName(policy.criteria, candidate.version, attributes);
  if (version === undefined) return;
  try {
    const isSelected = isSelectedBy(policy.criteria, attributes, context.stored);
    if (!(await isSelected)) return;
    if (policy.paramKind !== undefined) context.params.resourceOf(policy.paramKind);
  } catch (error) {
    const message = `failed to configure policy: ${configurationText(error)}`;
    resolved.push({ policy, binding: undefined, message });
    return;
  }
  for (const binding of bindings) {
    try {
      const isMatch = matchesBinding(binding.criteria, attributes, context.stored);
      if (!(await isMatch)) continue;
      const params = context.params.paramsOf(policy.paramKind, binding.params, attributes);
      const found = await params;
      resolved.push({ policy, binding, version, params: found });
    } catch (error) {
      resolved.push({ policy, binding, message: `failed to configure binding: ${configurationText(error)}` });
    }
  }
}

function matchesBinding(
  criteria: MatchCriteria | undefined,
  attributes: AdmissionAttributes,
  stored: StoredObjects,
): Soon<boolean> {
  if (criteria === undefined) return true;
  if (matchedByName(criteria, requestedVersion(attributes), attributes) === undefined) return false;
  return isSelectedBy(criteria, attributes, stored);
}

/** The message of an error that the failure policy decides about; any other is thrown again. */
function configurationText(error: unknown): string {
  if (error instanceof PolicyConfigurationError || error instanceof StatusError) return error.message;
  throw error;
}
