import type { AdmissionPlugin } from '../api/admission.ts';

/** Has nothing against anything. */
export const alwaysAdmit: AdmissionPlugin = {
  name: 'AlwaysAdmit',
  operations: new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']),
};
