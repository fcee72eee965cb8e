import type { AdmissionAttributes } from '../../../api/contracts/admission.ts';
import { escapeHtml } from '../../../api/go/go-quote.ts';
import { decodeUtf8 } from '../../../codec/decode-utf8.ts';
import { StatusError, type StatusReason } from '../../../api/errors/status.ts';
import { refusal } from '../../refusal.ts';
import type { PolicyMisconfiguration } from '../invocations.ts';
import type { Policy, PolicyBinding } from '../policy.ts';
import type { PolicyCheck, PolicyMetrics } from '../policy-metrics.ts';
import type { AnnotationOutcome, Decision, Verdict } from './verdict.ts';

const invalid: Denial = { reason: 'Invalid', code: 422 };
const denials: ReadonlyMap<string, Denial> = new Map<string, Denial>([
  ['Forbidden', { reason: 'Forbidden', code: 403 }],
  ['Unauthorized', { reason: 'Unauthorized', code: 401 }],
  ['RequestEntityTooLarge', { reason: 'RequestEntityTooLarge', code: 413 }],
]);

interface Denial {
  readonly reason: StatusReason;
  readonly code: number;
}

const failuresKey = 'validation.policy.admission.k8s.io/validation_failure';
const maxFailures = 50;
const maxAnnotationBytes = 10 * 1024;

type AnyPolicy = Pick<Policy<unknown>, 'name' | 'failsOpen'>;

/** A failure in the form of the audit annotation, in the order of its JSON. */
interface AuditedFailure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}

/** The effect of the verdicts of policies on one write. */
export class Enforcement {
  readonly #attributes: AdmissionAttributes;
  readonly #metrics: PolicyMetrics;
  readonly #failures: AuditedFailure[] = [];
  /** Values by annotation; undefined without any. */
  #annotations: Map<string, Set<string>> | undefined;
  #denial: { readonly message: string; readonly reason: string } | undefined;

  constructor(attributes: AdmissionAttributes, metrics: PolicyMetrics) {
    this.#attributes = attributes;
    this.#metrics = metrics;
  }

  misconfigured({ policy, binding, message }: PolicyMisconfiguration<unknown>): void {
    if (!policy.failsOpen) this.#deny(policy, binding, { message, reason: '' });
  }

  add(policy: AnyPolicy, binding: PolicyBinding, { decisions, annotations }: Verdict): void {
    for (const decision of decisions) {
      const counted = { policy, binding, ...decision };
      if (decision.outcome === 'failed' && policy.failsOpen) this.#count('allow', counted);
      else for (const action of binding.actions) this.#enforce(action, counted);
    }
    for (const annotation of annotations) this.#annotate(policy, binding, annotation);
  }

  /** Throws the StatusError of the first denial. */
  complete(): void {
    for (const [key, values] of this.#annotations ?? []) this.#attributes.annotate(key, () => [...values].join(', '));
    if (this.#failures.length > 0) {
      this.#attributes.annotate(failuresKey, () => escapeHtml(JSON.stringify(this.#failures.slice(0, maxFailures))));
    }
    if (this.#denial !== undefined) throw this.#denied(this.#denial);
  }

  #enforce(action: string, decision: EnforcedDecision): void {
    const { policy, binding, message, index } = decision;
    if (action === 'Deny') {
      this.#deny(policy, binding, decision);
      this.#count('deny', decision);
    } else if (action === 'Audit') {
      this.#failures.push({
        message,
        policy: policy.name,
        binding: binding.name,
        expressionIndex: index,
        validationActions: binding.actions,
      });
      this.#count('audit', decision);
    } else if (action === 'Warn') {
      const whose = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
      this.#attributes.warn(`Validation failed for ${whose}: ${message}`);
      this.#count('warn', decision);
    }
  }

  #count(action: 'allow' | 'audit' | 'deny' | 'warn', check: PolicyCheck): void {
    this.#metrics.count(check, { enforcement_action: action });
  }

  #annotate(policy: AnyPolicy, binding: PolicyBinding, { key, value, failure, seconds }: AnnotationOutcome): void {
    if (failure !== undefined) {
      if (policy.failsOpen) return;
      this.#deny(policy, binding, { message: failure, reason: '' });
      this.#count('deny', { policy, binding, message: failure, seconds });
      return;
    }
    if (value === undefined) return;
    const whole = `${policy.name}/${key}`;
    const annotations = (this.#annotations ??= new Map<string, Set<string>>());
    const values = annotations.get(whole) ?? new Set();
    annotations.set(whole, values.add(cut(value)));
  }

  #deny(
    policy: AnyPolicy,
    binding: PolicyBinding | undefined,
    { message, reason }: { readonly message: string; readonly reason: string },
  ): void {
    const whose = `ValidatingAdmissionPolicy '${policy.name}'${binding === undefined ? '' : ` with binding '${binding.name}'`}`;
    this.#denial ??= { message: `${whose} denied request: ${message}`, reason };
  }

  #denied({ message, reason }: { readonly message: string; readonly reason: string }): StatusError {
    const { status } = refusal(this.#attributes, message);
    const details = { ...status.details, causes: [{ message }] };
    return new StatusError({ ...status, ...(denials.get(reason) ?? invalid), details });
  }
}

interface EnforcedDecision extends Omit<Decision, 'outcome'> {
  readonly policy: AnyPolicy;
  readonly binding: PolicyBinding;
}

/** Truncates by bytes, as Go does: of a character that is split, each byte becomes one U+FFFD in JSON. */
function cut(value: string): string {
  const bytes = Buffer.from(value);
  return bytes.length <= maxAnnotationBytes ? value : decodeUtf8(bytes.subarray(0, maxAnnotationBytes));
}
