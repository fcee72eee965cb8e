import { childPath, requiredField } from '../../../api/errors/field-error.ts';
import type * as networking from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { dnsSubdomain, type Errors, isEmpty, required, sealedField } from '../../parts/rules/rules.ts';
import { segment } from '../ingress/validation.ts';

export function* ipAddressObject({ spec = {} }: networking.IPAddress): Errors {
  yield* parentForms(spec.parentRef);
  yield* parentPresence(spec.parentRef);
}

function* parentForms(parent: networking.ParentReference | undefined): Errors {
  const path = 'spec.parentRef';
  const { group, resource, name, namespace } = parent ?? {};
  if (!isEmpty(group)) yield* dnsSubdomain(group, childPath(path, 'group'));
  for (const [field, value] of Object.entries({ resource, name, namespace })) {
    if (!isEmpty(value)) yield* segment(value, childPath(path, field));
  }
}

function* parentPresence(parent: networking.ParentReference | undefined): Errors {
  const path = 'spec.parentRef';
  if (parent === undefined) return yield requiredField(path);
  yield* required()(parent.resource, childPath(path, 'resource'));
  yield* required()(parent.name, childPath(path, 'name'));
}

export function* ipAddressUpdate({ spec = {} }: networking.IPAddress, old: networking.IPAddress): Errors {
  yield* parentForms(spec.parentRef);
  if (spec.parentRef !== undefined || old.spec?.parentRef !== undefined) yield* parentPresence(spec.parentRef);
  yield* sealedField(spec.parentRef, old.spec?.parentRef, 'spec.parentRef');
}
