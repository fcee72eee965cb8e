import { accounts } from './accounts.ts';
import { certificates } from './certificates.ts';
import { endpoints } from './endpoints.ts';
import { mirroredEndpoints } from './mirrored-endpoints.ts';
import { objects } from './objects.ts';
import { owners } from './owners.ts';
import { quotas } from './quotas.ts';
import type { Subject } from './subject.ts';

export const subjects: readonly Subject[] = [
  endpoints,
  mirroredEndpoints,
  accounts,
  quotas,
  certificates,
  objects,
  owners,
];
