import { expect, test } from 'vitest';
import { completeAddresses } from './older-services.ts';
import type { ServiceSpec } from './service-needs.ts';

// Recorded from the reference.
test.each<readonly [ServiceSpec, ServiceSpec]>([
  [
    { clusterIP: '10.0.0.1' },
    { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
  ],
  [
    { clusterIP: 'fd00::1' },
    { clusterIP: 'fd00::1', clusterIPs: ['fd00::1'], ipFamilies: ['IPv6'], ipFamilyPolicy: 'SingleStack' },
  ],
  [
    { clusterIP: 'None' },
    {
      clusterIP: 'None',
      clusterIPs: ['None'],
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
    },
  ],
  [
    { clusterIP: 'None', selector: { a: 'b' } },
    {
      clusterIP: 'None',
      clusterIPs: ['None'],
      selector: { a: 'b' },
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    },
  ],
  [
    { type: 'ExternalName', externalName: 'e', internalTrafficPolicy: 'Cluster' },
    { type: 'ExternalName', externalName: 'e' },
  ],
])('%j is completed to %j', (stored, shown) => {
  completeAddresses(stored, 'IPv4');
  expect(stored).toEqual(shown);
});
