import { invalidField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import type * as networking from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { canonicalIpRange, familyOf } from '../../parts/addresses/addresses.ts';
import { type Errors, immutableMessage } from '../../parts/rules/rules.ts';
import { shownField } from '../../parts/rules/set-fields.ts';

export function* serviceCidr({ spec = {} }: networking.ServiceCIDR): Errors {
  const ranges = spec.cidrs ?? [];
  const path = 'spec.cidrs';
  if (ranges.length === 0) return yield requiredField(path, 'at least one CIDR required');
  if (ranges.length > 2) return yield invalidField(path, { CIDRs: ranges }, 'may only hold up to 2 values');
  for (const [index, range] of ranges.entries()) {
    yield* canonicalIpRange(range, keyPath(path, index));
  }
  const [first, second] = ranges.map(familyOf);
  if (ranges.length === 2 && first === second && first !== undefined) {
    const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    yield invalidField(path, ranges, detail);
  }
}

export function* serviceCidrUpdate(object: networking.ServiceCIDR, old: networking.ServiceCIDR): Errors {
  const [now, before] = [object.spec?.cidrs ?? [], old.spec?.cidrs ?? []];
  const grows = before.length === 1 && now.length === 2;
  if (now.length !== before.length && !grows) {
    return yield invalidField('spec.cidrs', shownField(object.spec ?? {}, 'cidrs'), immutableMessage);
  }
  for (const [index, range] of before.entries()) {
    if (range !== now[index]) yield invalidField(keyPath('spec.cidrs', index), now[index], immutableMessage);
  }
  if (grows) yield* serviceCidr(object);
}
