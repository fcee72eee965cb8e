import { goQuote } from '../../api/go/go-quote.ts';
import type { GroupResource } from '../../api/meta/group-version.ts';
import { StatusError } from '../../api/errors/status.ts';
import { internalError, plainError } from '../../api/errors/status-errors.ts';
import type { KeyValue, UnreadableReason } from '../../storage/contract.ts';
import type { StoreLocation } from './store-kind.ts';

/** A stored value that cannot be decoded. */
export interface Unreadable {
  readonly key: string;
  readonly modRevision: number;
  readonly unreadable: UnreadableReason;
}

/** How many keys of a list are named. */
const maxNamed = 100;

/** One object cannot be read. */
export class UnreadableError extends StatusError {
  override readonly code = 'STATUS';
  readonly found: Unreadable;

  constructor({ status }: StatusError, found: Unreadable) {
    super(status);
    this.found = found;
  }
}

/** What errors about unreadable values name of their store. */
export type ErrorLocation = Pick<StoreLocation, 'keyPrefix' | 'resource' | 'namesUnreadable'>;

/** For a read or a deletion. */
export function unreadableObject(place: ErrorLocation, found: Unreadable): UnreadableError {
  const { keyPrefix, resource, namesUnreadable } = place;
  if (!namesUnreadable) return new UnreadableError(unchangeable(place, found), found);
  const prefix = resource.storage?.prefix ?? resource.plural;
  return new UnreadableError(internalError(corrupt(`/${prefix}/${found.key.slice(keyPrefix.length)}`, found)), found);
}

/** What has been read from the store. Throws for an unreadable object. */
export function readable(place: ErrorLocation, kv: KeyValue): KeyValue {
  const { key, modRevision, unreadable } = kv;
  if (unreadable === undefined) return kv;
  throw unreadableObject(place, { key, modRevision, unreadable });
}

/** What has been listed from the store. Throws if there are unreadable objects. */
export function allReadable(
  place: Pick<ErrorLocation, 'namesUnreadable'>,
  resource: GroupResource,
  kvs: readonly KeyValue[],
): readonly KeyValue[] {
  const found = kvs.flatMap(({ key, modRevision, unreadable }) =>
    unreadable === undefined ? [] : [{ key, modRevision, unreadable }],
  );
  if (found.length > 0) throw unreadableList(place, resource, found);
  return kvs;
}

/** For an update. */
export function unchangeable(
  { namesUnreadable }: Pick<ErrorLocation, 'namesUnreadable'>,
  found: Unreadable,
): StatusError {
  const { kind, message } = found.unreadable;
  const why = namesUnreadable ? reasonText(found) : message;
  return kind === 'untransformable' ? internalError(why) : plainError(why);
}

/** For a list with unreadable objects, of which there is at least one. */
export function unreadableList(
  { namesUnreadable }: Pick<ErrorLocation, 'namesUnreadable'>,
  resource: GroupResource,
  found: readonly Unreadable[],
): StatusError {
  const [first] = found;
  return namesUnreadable || first === undefined ? allUnreadable(resource, found) : firstUnreadable(first);
}

function firstUnreadable({ key, unreadable: { kind, message } }: Unreadable): StatusError {
  return kind === 'untransformable'
    ? internalError(`unable to transform key ${goQuote(key)}: ${message}`)
    : plainError(message);
}

function allUnreadable({ group, resource }: GroupResource, found: readonly Unreadable[]): StatusError {
  const named = found.slice(0, maxNamed);
  const messages = named.map((each) => corrupt(each.key, each));
  const what = group === '' ? resource : `${resource}.${group}`;
  const more = named.length > 1 ? ` (and ${named.length - 1} more)` : '';
  const causes = named.map(({ key }, index) => ({
    reason: 'UnexpectedServerResponse',
    message: messages[index] ?? '',
    field: key,
  }));
  const tooMany = { reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' };
  return new StatusError({
    code: 500,
    reason: 'StorageReadError',
    message: `failed to read one or more ${what} from the storage: ${messages[0] ?? ''}${more}`,
    details: {
      name: 'list',
      ...(group === '' ? {} : { group }),
      kind: resource,
      causes: found.length >= maxNamed ? [...causes, tooMany] : causes,
    },
  });
}

function corrupt(key: string, found: Unreadable): string {
  const why = reasonText(found);
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
}

/** The reference knows the revision only of what it decodes. */
function reasonText({ modRevision, unreadable: { kind, message } }: Unreadable): string {
  return kind === 'untransformable'
    ? `data from the storage is not transformable revision=0: ${message}`
    : `object not decodable revision=${modRevision}: ${message}`;
}
