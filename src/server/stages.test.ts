import { expect, test } from 'vitest';
import { admissionChain } from '../admission/chain.ts';
import { systemClock } from '../api/clock.ts';
import { unionAuthenticator } from '../authentication/union.ts';
import { unionAuthorizer } from '../authorization/union.ts';
import { configDefaults } from './config.ts';
import { requestMetrics } from './request-metrics.ts';
import { requestStages, type StageParts } from './stages.ts';

test('a request goes through the stages in this order', () => {
  const parts: Pick<StageParts, 'config' | 'authenticator' | 'authorizer' | 'admission' | 'metrics'> = {
    config: { ...configDefaults, dataDir: '/nowhere' },
    authenticator: unionAuthenticator([]),
    authorizer: unionAuthorizer([]),
    admission: admissionChain([]),
    metrics: requestMetrics({
      clock: systemClock,
      isKnown: () => true,
      addMetrics: () => Promise.resolve(),
      onError: () => undefined,
    }),
  };
  // Stages are made without asking the store or the lifecycle for anything.
  const stages = requestStages(parts as StageParts);
  expect(stages.map(({ name }) => name)).toEqual([
    'request-info',
    'metrics',
    'deadline',
    'authentication',
    'impersonation',
    'authorization',
    'dispatch',
  ]);
});
