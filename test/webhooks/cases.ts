import type { WebhookCase } from './case-parts.ts';
import { basicCases } from './cases/basic.ts';
import { longErrorCases } from './cases/garbage.ts';
import { kindCases } from './cases/kinds.ts';
import { matchCases } from './cases/matches.ts';
import { numberCases } from './cases/numbers.ts';
import { orderCases } from './cases/orders.ts';
import { patchCases } from './cases/patches.ts';
import { retryCases } from './cases/retries.ts';
import { reviewCases } from './cases/reviews.ts';
import { wireCases } from './cases/wire.ts';

/** New cases come last: the names of namespaces and webhooks are the places in this list. */
export const webhookCases: readonly WebhookCase[] = [
  ...basicCases,
  ...wireCases,
  ...retryCases,
  ...reviewCases,
  ...patchCases,
  ...kindCases,
  ...matchCases,
  ...orderCases,
  ...longErrorCases,
  ...numberCases,
];
