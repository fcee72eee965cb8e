import type * as admission from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import type { CustomResourceDefinition } from '../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import type { APIService } from '../../schema/kubernetes/generated/types/apiregistration-v1.ts';
import type * as flow from '../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import { mutatingBinding } from '../admissionregistration/policy-bindings.ts';
import { mutatingPolicy } from '../admissionregistration/policies.ts';
import { validatingBinding } from '../admissionregistration/policy-bindings.ts';
import { validatingPolicy } from '../admissionregistration/policies.ts';
import { validatingPolicyStatus } from '../admissionregistration/policies.ts';
import { apiService, apiServiceStatus } from '../apiregistration/api-service/validation.ts';
import {
  definition,
  definitionStatus,
  definitionUpdate,
} from '../apiextensions/custom-resource-definition/validation/definition.ts';
import { conditions } from '../flowcontrol/status-conditions.ts';
import { priorityLevel } from '../flowcontrol/priority-level-configuration/validation.ts';
import { flowSchema } from '../flowcontrol/flow-schema/validation.ts';
import { type KindValidation, kindValidation } from '../kind-validation.ts';
import { noStaticName } from '../admissionregistration/static-names.ts';
import { type WebhookConfiguration, webhooks, webhooksUpdate } from '../admissionregistration/webhooks.ts';

const webhookConfiguration = kindValidation<WebhookConfiguration>({
  create: function* (configuration) {
    yield* webhooks(configuration);
    yield* noStaticName(configuration);
  },
  update: webhooksUpdate,
  anyFinalizer: true,
});

const validatingAdmissionPolicy = kindValidation<admission.ValidatingAdmissionPolicy>({
  create: function* (policy) {
    yield* validatingPolicy(policy);
    yield* noStaticName(policy);
  },
  update: validatingPolicy,
  subresources: { status: validatingPolicyStatus },
  anyFinalizer: true,
});

const mutatingAdmissionPolicy = kindValidation<admission.MutatingAdmissionPolicy>({
  create: function* (policy) {
    yield* mutatingPolicy(policy);
    yield* noStaticName(policy);
  },
  update: mutatingPolicy,
  anyFinalizer: true,
});

/** Kinds that configure or extend the server itself. */
export const extensionValidation: { readonly [kind: string]: KindValidation } = {
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': mutatingAdmissionPolicy,
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding':
    kindValidation<admission.MutatingAdmissionPolicyBinding>({
      both: mutatingBinding,
      create: noStaticName,
      anyFinalizer: true,
    }),
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhookConfiguration,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': validatingAdmissionPolicy,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding':
    kindValidation<admission.ValidatingAdmissionPolicyBinding>({
      both: validatingBinding,
      create: noStaticName,
      anyFinalizer: true,
    }),
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhookConfiguration,
  'apiextensions.k8s.io/CustomResourceDefinition': kindValidation<CustomResourceDefinition>({
    create: definition,
    update: definitionUpdate,
    subresources: { status: definitionStatus },
    anyFinalizer: true,
  }),
  'apiregistration.k8s.io/APIService': kindValidation<APIService>({
    both: apiService,
    subresources: { status: apiServiceStatus },
    anyFinalizer: true,
  }),
  'flowcontrol.apiserver.k8s.io/FlowSchema': kindValidation<flow.FlowSchema>({
    both: flowSchema,
    subresources: { status: conditions },
  }),
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': kindValidation<flow.PriorityLevelConfiguration>({
    both: priorityLevel,
    subresources: { status: conditions },
  }),
};
