import type { AdmissionAttributes, Invocation } from '../../api/contracts/admission.ts';
import type { CallContext } from './call-hook.ts';
import type { HookCall } from './hook.ts';
import type { SelectionContext } from './hook-selection.ts';

export type DispatchContext = CallContext & SelectionContext;

/** How the webhooks that match a write are called. */
export interface Dispatch {
  run(calls: readonly HookCall[], attributes: AdmissionAttributes, invocation: Invocation): Promise<void>;
}
