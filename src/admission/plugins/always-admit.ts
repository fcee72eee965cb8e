import type { AdmissionPlugin } from '../../api/contracts/admission.ts';

/** Admits every request. */
export const alwaysAdmit: AdmissionPlugin = {
  name: 'AlwaysAdmit',
  operations: new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']),
};
