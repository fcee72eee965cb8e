import type { AdmissionAttributes } from '../../../api/contracts/admission.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import { StatusError, type StatusReason } from '../../../api/errors/status.ts';
import { refusal } from '../../refusal.ts';
import type { PolicyMisconfiguration } from '../invocations.ts';

/** Why policies could not be applied to a write. */
export class PolicyDenials {
  readonly #found: { readonly message: string; readonly reason: StatusReason | undefined }[] = [];

  /** `reason`: of the status, if this is the first denial. */
  add({ policy, binding, message }: PolicyMisconfiguration<unknown>, reason?: StatusReason): void {
    if (policy.failsOpen) return;
    const whose =
      binding === undefined
        ? `policy ${goQuote(policy.name)}`
        : `policy '${policy.name}' with binding '${binding.name}'`;
    this.#found.push({ message: `${whose} denied request: ${message}`, reason });
  }

  /** Undefined without denials. */
  error(attributes: AdmissionAttributes): StatusError | undefined {
    const [first] = this.#found;
    if (first === undefined) return undefined;
    const { status } = refusal(attributes, '');
    const causes = this.#found.map(({ message }) => ({ message }));
    const { message, reason } = first;
    const named = reason === undefined ? status : { ...status, reason };
    return new StatusError({ ...named, message, details: { ...status.details, causes } });
  }
}
