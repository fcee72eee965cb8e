import { type BuiltFlag, flag } from './flag.ts';
import { boolean, integer } from './flag-types.ts';

/** Flags of deletions. */
export const deletionFlags: readonly BuiltFlag[] = [
  flag('delete-collection-workers', {
    type: integer,
    help: 'how many objects of a deleted collection are deleted at a time (default: 16)',
    ownDefault: true,
    // The reference takes what is no number of workers for one.
    set: (count, { requests }) => ({ requests: { ...requests, deletionsAtOnce: Math.max(1, count) } }),
  }),
  flag('enable-garbage-collector', {
    type: boolean,
    help: 'collect dependents of deleted objects; if false, deletions ignore what they say about dependents',
    set: (collectsGarbage, { api }) => ({ api: { ...api, collectsGarbage } }),
  }),
];
