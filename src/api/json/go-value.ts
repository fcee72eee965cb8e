/** Stands for all addresses in Go's memory that messages print. */
export const goAddress = '0xc000000000';

/** Stands for a value that Go holds and JSON does not have, within data: of no shape, and printed as Go does. */
export class GoValue {
  /** Its type. */
  readonly type: string;
  /** `%v` */
  readonly text: string;
  /** `%#v` */
  readonly syntax: string;

  constructor({ type, text, syntax }: Pick<GoValue, 'type' | 'text' | 'syntax'>) {
    this.type = type;
    this.text = text;
    this.syntax = syntax;
  }
}

const nilLists = new WeakSet<readonly unknown[]>();

/** Notes that an empty list is no slice at all, which `%#v` tells. */
export function noteNil(list: readonly unknown[]): void {
  nilLists.add(list);
}

export function isNotedNil(list: readonly unknown[]): boolean {
  return list.length === 0 && nilLists.has(list);
}
