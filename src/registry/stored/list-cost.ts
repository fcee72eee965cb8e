/** Where a list is read: in memory or in the store. */
export type ListOrigin = 'cache' | 'store';

/** What a list has cost. */
export interface ListCost {
  readonly from: ListOrigin;
  /** Objects read. */
  readonly fetched: number;
  readonly returned: number;
  readonly seconds: number;
}
