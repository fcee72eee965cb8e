import { childPath, requiredField } from '../../../api/field-error.ts';
import type * as networking from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { dnsSubdomain, type Errors, isEmpty, required, sealedField } from '../../parts/rules/rules.ts';
import { segment } from '../ingress/validation.ts';

export function* ipAddressObject({ spec = {} }: networking.IPAddress): Errors {
  const path = 'spec.parentRef';
  const { parentRef } = spec;
  if (parentRef === undefined) return yield requiredField(path);
  const { group, resource, name, namespace } = parentRef;
  if (!isEmpty(group)) yield* dnsSubdomain(group, childPath(path, 'group'));
  for (const [field, value] of Object.entries({ resource, name, namespace })) {
    if (!isEmpty(value)) yield* segment(value, childPath(path, field));
  }
  yield* required()(resource, childPath(path, 'resource'));
  yield* required()(name, childPath(path, 'name'));
}

export function* ipAddressUpdate(object: networking.IPAddress, old: networking.IPAddress): Errors {
  yield* sealedField(object.spec?.parentRef, old.spec?.parentRef, 'spec.parentRef');
}
