import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import { refusal } from '../refusal.ts';

/** Denies every write. */
export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  operations: new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']),
  mutate(attributes) {
    throw refusal(attributes, 'admission control is denying all modifications');
  },
};
