import type { AdmissionPlugin } from '../api/admission.ts';

/** Admits every request. */
export const alwaysAdmit: AdmissionPlugin = {
  name: 'AlwaysAdmit',
  operations: new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']),
};
