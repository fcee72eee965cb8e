import {
  addressInRange,
  formatIpAddress,
  type IpAddress,
  parseIpRange,
  sizeOfRange,
} from '../../../../api/values/ip-address.ts';
import type { IpFamily } from './ip-families.ts';
import { candidates, isInRange, type NumberRange, reservedCount } from './number-range.ts';

/** IPv6 ranges with a shorter prefix are refused. */
const shortestIpv6Prefix = 64;

/** A range of cluster IPs: all addresses except the network address and the IPv4 broadcast address. */
export class ServiceRange {
  /** `10.0.0.0/24` */
  readonly text: string;
  readonly family: IpFamily;
  /** The network address. */
  readonly network: IpAddress;
  /** The number of usable addresses. */
  readonly size: bigint;
  readonly #numbers: NumberRange;

  private constructor(text: string, { network, numbers }: { network: IpAddress; numbers: NumberRange }) {
    this.text = text;
    this.family = network.family === 4 ? 'IPv4' : 'IPv6';
    this.network = network;
    this.#numbers = numbers;
    const count = numbers.last - numbers.first + 1n;
    this.size = count < 0n ? 0n : count;
  }

  /** Undefined for malformed and too large ranges. */
  static parse(text: string): ServiceRange | undefined {
    const range = parseIpRange(text);
    if (range === undefined) return undefined;
    const isIpv4 = range.network.family === 4;
    if (!isIpv4 && range.prefixLength < shortestIpv6Prefix) return undefined;
    const first = range.network.value + 1n;
    const size = sizeOfRange(range);
    const usable = size - (isIpv4 ? 2n : 1n);
    const dynamicFrom = first + reservedCount(size, { step: 16n, max: 256n });
    return new ServiceRange(text, {
      network: range.network,
      numbers: { first, last: first + usable - 1n, dynamicFrom },
    });
  }

  includes({ family, value }: IpAddress): boolean {
    return family === this.network.family && isInRange(value, this.#numbers);
  }

  /** All usable addresses, in the order to try them. */
  *candidates(): Generator<string> {
    const { network } = this;
    const range = { network, prefixLength: 0 };
    for (const number of candidates(this.#numbers)) {
      yield formatIpAddress(addressInRange(range, number - network.value));
    }
  }
}
