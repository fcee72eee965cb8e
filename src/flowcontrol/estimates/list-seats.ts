/** Parameters of a list that its cost depends on. */
export interface ListQuery {
  readonly limit: number;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly continues: boolean;
  readonly hasSelector: boolean;
  readonly sendsInitialEvents: boolean;
  /** It will be refused. */
  readonly isInvalid: boolean;
}

/** What is stored of a resource. */
export interface StoredStatistics {
  readonly objects: number;
  /** The average size; 0: not known. */
  readonly objectBytes: number;
}

const objectsPerSeat = 100;
const bytesPerSeat = 100_000;
/** Lists from memory are streamed, and hold no more than this at once. */
const streamedBytes = 1_000_000;
const maxObjectBytes = 1_500_000;

type RequestedList = ListQuery & { readonly isWatch: boolean; readonly isSingle: boolean };
type Stored = StoredStatistics & { readonly isBySize: boolean };

/** The seats that a list occupies, as kube-apiserver estimates them. */
export function listSeats(list: RequestedList, stored: Stored): number {
  return stored.isBySize ? seatsBySize(list, stored) : seatsByCount(list, stored);
}

function seatsByCount(list: RequestedList, { objects }: Stored): number {
  return Math.ceil(visitedObjects(list, objects) / objectsPerSeat);
}

function visitedObjects(list: RequestedList, objects: number): number {
  const page = pageOf(list, objects);
  if (list.isSingle) return 1;
  if (isFromMemory(list)) return objects;
  return list.hasSelector ? objects + page : 2 * page;
}

function seatsBySize(list: RequestedList, { objects, objectBytes }: Stored): number {
  const bytes = loadedObjects(list, objects) * (objectBytes > 0 || objects === 0 ? objectBytes : maxObjectBytes);
  return Math.ceil((isFromMemory(list) ? Math.min(bytes, streamedBytes) : bytes) / bytesPerSeat);
}

function loadedObjects(list: RequestedList, objects: number): number {
  const page = pageOf(list, objects);
  if (list.isSingle) return 1;
  return !isFromMemory(list) && list.hasSelector ? Math.max(page, Math.floor(objects / 2)) : page;
}

function pageOf({ limit }: ListQuery, objects: number): number {
  return limit > 0 ? Math.min(limit, objects) : objects;
}

/** Whether kube-apiserver answers it from its watch cache. */
function isFromMemory({ isWatch, resourceVersion, resourceVersionMatch, continues, limit }: RequestedList): boolean {
  if (isWatch || resourceVersionMatch === 'NotOlderThan') return true;
  if (resourceVersionMatch !== '' || continues) return false;
  return limit <= 0 || resourceVersion === '' || resourceVersion === '0';
}
