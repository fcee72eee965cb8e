import type { Load } from './load.ts';
import { definitions } from './loads/definitions.ts';
import { informers } from './loads/informers.ts';
import { namespaces } from './loads/namespaces.ts';
import { scrapes } from './loads/scrapes.ts';
import { tokens } from './loads/tokens.ts';
import { webhooks } from './loads/webhooks.ts';
import { writes } from './loads/writes.ts';

/** All at the same time. */
export const loads: readonly Load[] = [writes, informers, definitions, webhooks, tokens, namespaces, scrapes];
