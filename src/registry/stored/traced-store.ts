import { currentSpan, inSpan, type Span } from '../../api/contracts/span.ts';
import { isUnstructuredKind } from '../../schema/unstructured.ts';
import type { WriteResult } from '../../storage/contract.ts';
import type { StoreLocation } from './store-kind.ts';

type TracedLocation = Pick<StoreLocation, 'resource' | 'keyPrefix'>;

/**
 * A step of a trace that works on the store, under the name that the reference has for it, whatever the store is;
 * undefined: nothing is traced.
 */
export function storeSpan(
  step: 'Get' | 'Create' | 'GuaranteedUpdate',
  place: TracedLocation,
  key: string,
): Span | undefined {
  const above = currentSpan();
  if (above === undefined) return undefined;
  const { resource } = place;
  return above.child(`${step} etcd3`, {
    'audit-id': above.auditId,
    key: shownKey(place, key),
    ...(step === 'Get' ? {} : { type: typeOf(resource) }),
    group: resource.group,
    resource: resource.plural,
  });
}

/** The span of a call that reads from memory. */
export function cacheSpan(
  step: 'Get' | 'GetList' | 'Watch',
  place: TracedLocation,
  read: { readonly key?: string; readonly resourceVersion?: string } = {},
): Span | undefined {
  const above = currentSpan();
  if (above === undefined) return undefined;
  const { key, resourceVersion = '' } = read;
  const { group, plural } = place.resource;
  return above.child(
    `cacher.${step}`,
    key === undefined
      ? { 'audit-id': above.auditId, type: group === '' ? plural : `${plural}.${group}` }
      : { 'audit-id': above.auditId, key: shownKey(place, key), 'resource-version': resourceVersion },
  );
}

/** `/pods/default/web`, without what all keys begin with. */
function shownKey({ resource, keyPrefix }: TracedLocation, key: string): string {
  return `/${resource.storage?.prefix ?? resource.plural}/${key.slice(keyPrefix.length)}`;
}

/** The type of the objects in Go. */
function typeOf(resource: TracedLocation['resource']): string {
  if (isUnstructuredKind(resource)) return '*unstructured.Unstructured';
  const { group, kind } = resource;
  return `*${group === '' ? 'core' : group.split('.')[0]}.${kind}`;
}

/** Notes that an object, if there is one, has been read. */
export function tellRead(from: 'store' | 'cache', found: { readonly value: Uint8Array } | undefined): void {
  const span = currentSpan();
  if (span === undefined) return;
  if (from === 'cache') return tellAll(span, [...freshEvents, 'GetByKey success']);
  span.event('Get call succeeded');
  if (found === undefined) return;
  span.event('TransformFromStorage succeeded');
  span.event('Decode succeeded', { len: found.value.length });
}

/** Notes what an update has done so far. */
export function tellUpdate(step: 'read' | 'encoded' | 'written', value?: Uint8Array): void {
  const span = currentSpan();
  if (span === undefined) return;
  const len = { len: value?.length ?? 0 };
  if (step === 'read') return span.event('initial value restored');
  if (step === 'encoded') {
    span.event('About to Encode');
    return span.event('Encode succeeded', len);
  }
  tellAll(span, [
    'TransformToStorage succeeded',
    'Transaction prepared',
    'Txn call completed',
    'Transaction committed',
  ]);
  span.event('Decode succeeded', len);
}

/** Creates an object as a step of a trace. */
export async function tracedCreate(
  span: Span,
  value: Uint8Array,
  put: () => Promise<WriteResult>,
): Promise<WriteResult> {
  span.event('About to Encode');
  span.event('Encode succeeded', { len: value.length });
  return await inSpan(span, async () => {
    const written = await put();
    tellAll(span, ['TransformToStorage succeeded', 'Txn call succeeded']);
    if (written.succeeded) span.event('Decode succeeded', { len: value.length });
    return written;
  });
}

/** Notes that the state to list or to watch is there. */
export function tellFresh(of: 'list' | 'watch', isLatest: boolean): void {
  const span = currentSpan();
  if (span === undefined) return;
  if (of === 'watch') return tellAll(span, freshEvents);
  const began = isLatest ? ['Ready', 'getCurrentRV success'] : ['Ready'];
  tellAll(span, [...began, ...freshEvents, 'GetLatestSnapshotOrBuildLocked success']);
}

/** Notes what has been listed: how many objects were looked at, and how many were wanted. */
export function tellListed(fetched: number, returned: number): void {
  const span = currentSpan();
  span?.event('Listed items from cache', { count: fetched });
  span?.event('Filtered items', { count: returned });
}

const freshEvents = ['watchCache locked acquired', 'watchCache fresh enough'];

function tellAll(span: Span, events: readonly string[]): void {
  for (const event of events) span.event(event);
}
