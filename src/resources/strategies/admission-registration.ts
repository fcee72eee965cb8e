import type { Strategy } from '../../registry/strategy.ts';

const cautious: Strategy = { generation: 'spec', requireResourceVersion: true };

/** Strategies of admissionregistration.k8s.io, by `group/Kind`. */
export const admissionRegistrationStrategies: { readonly [kind: string]: Strategy } = {
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': cautious,
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': cautious,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': cautious,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': { ...cautious, statusKeepsMetadata: true },
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': cautious,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': cautious,
};
