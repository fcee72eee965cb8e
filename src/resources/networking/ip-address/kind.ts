import type { IPAddress } from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { canonicalIpAddress } from '../../parts/addresses/addresses.ts';
import { ipAddressObject, ipAddressUpdate } from './validation.ts';

export const ipAddressKind = defineKind<IPAddress>({
  group: 'networking.k8s.io',
  kind: 'IPAddress',
  strategy: {
    nameRule: (name) => canonicalIpAddress(name, '').map(({ detail }) => detail),
    // What is appended to an address is none.
    generatesNames: false,
  },
  checks: { create: ipAddressObject, update: ipAddressUpdate },
  table: async () => (await import('./table.ts')).ipAddresses,
});
