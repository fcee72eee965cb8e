/** Where to connect to. */
export interface CallAddress {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
}
