import { auditCases } from './cases/audit.ts';
import { cborCases, protobufCases, usualCborCases } from './cases/binary.ts';
import { certificateCases } from './cases/certificates.ts';
import { configurationCases } from './cases/configurations.ts';
import { crowdCases } from './cases/crowds.ts';
import { frameCases } from './cases/frames.ts';
import { headCases } from './cases/heads.ts';
import { hookCases } from './cases/hooks.ts';
import { fieldValidationCases, jsonCases, manyCases, smallJsonCases } from './cases/json.ts';
import { kindCases } from './cases/kinds.ts';
import { manyObjectCases } from './cases/many-objects.ts';
import { patchCases } from './cases/patches.ts';
import { permissionCases } from './cases/permissions.ts';
import { reviewCases } from './cases/reviews.ts';
import { serviceCases } from './cases/services.ts';
import { streamCases } from './cases/streams.ts';
import { otherTextCases, shortTextCases, textCases } from './cases/texts.ts';
import { upstreamCases } from './cases/upstreams.ts';
import { validCases } from './cases/valid.ts';
import { applyCases, yamlCases } from './cases/yaml.ts';
import type { HostileCase } from './hostile-case.ts';

export const allCases: readonly HostileCase[] = [
  ...headCases,
  ...shortTextCases,
  ...smallJsonCases,
  ...jsonCases,
  ...manyCases,
  ...fieldValidationCases,
  ...protobufCases,
  ...cborCases,
  ...usualCborCases,
  ...yamlCases,
  ...applyCases,
  ...patchCases,
  ...kindCases,
  ...textCases,
  ...otherTextCases,
  ...validCases,
  ...crowdCases,
  ...frameCases,
  ...upstreamCases,
  ...hookCases,
  ...manyObjectCases,
  ...reviewCases,
  ...auditCases,
  ...streamCases,
  ...configurationCases,
  ...certificateCases,
  ...permissionCases,
  ...serviceCases,
];
