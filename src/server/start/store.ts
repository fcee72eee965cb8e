import type { Encryption } from '../../encryption/encryption.ts';
import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import type { ServerConfig } from '../config.ts';
import { prepareServing, type Serving } from '../listening/serving.ts';
import { openEncryption } from '../open-encryption.ts';
import type { TracedPartContext } from '../server-context.ts';
import type { Store } from '../store/store.ts';
import type { ThreadSurroundings } from './surroundings.ts';

/** Objects can be stored, and connections be secured. */
export interface StorePhase {
  readonly store: Store;
  readonly serving: Serving;
  readonly encryption: Encryption | undefined;
}

export interface StorePhaseOptions extends Pick<
  ThreadSurroundings,
  'opened' | 'openStore' | 'ticketKeys' | 'identity'
> {
  readonly context: TracedPartContext;
  /** Looks up the kinds that stored objects may be of. */
  readonly catalogue: LiveCatalogue;
}

export async function openStorePhase(
  config: ServerConfig,
  { context, catalogue, opened, openStore, ticketKeys, identity }: StorePhaseOptions,
): Promise<StorePhase> {
  const encryption = await openEncryption(config, context);
  const opening = openStore((kind) => catalogue.current.schemaOf(kind));
  opened.defer(async () => (await opening.catch(() => undefined))?.[Symbol.asyncDispose]());
  const [store, serving] = await Promise.all([opening, prepareServing(config, context, { ticketKeys, identity })]);
  return { store, serving, encryption };
}
