import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import type { Service } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { refusal } from '../refusal.ts';

/** Denies new external IPs on services; those already set may stay. */
export const denyServiceExternalIps: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  operations: new Set(['CREATE', 'UPDATE']),
  validate(attributes) {
    const { group, resource, subresource, object, oldObject } = attributes;
    if (group !== '' || resource !== 'services' || subresource !== '') return;
    // Objects are decoded by the schema of their resource.
    const known = new Set((oldObject as Service | undefined)?.spec?.externalIPs);
    if ((object as Service).spec?.externalIPs?.some((ip) => !known.has(ip)) !== true) return;
    throw refusal(attributes, 'Use of external IPs is denied by admission control');
  },
};
