import { formatIpAddress, parseIpAddress, unmapped } from '../../api/values/ip-address.ts';
import type { Exchange } from '../transport/exchange.ts';

/** The source addresses of a request: those reported by proxies, then that of the connection. */
export function sourceIps(exchange: Pick<Exchange, 'header' | 'remoteAddress'>): readonly string[] {
  const forwarded = (exchange.header('x-forwarded-for') ?? '').split(',').map(readAddress);
  const found = forwarded.filter((address) => address !== undefined);
  const real = readAddress(exchange.header('x-real-ip') ?? '');
  if (real !== undefined && !found.includes(real)) found.push(real);
  const remote = readAddress(exchange.remoteAddress);
  if (remote !== undefined && found.at(-1) !== remote) found.push(remote);
  return found;
}

function readAddress(text: string): string | undefined {
  const address = parseIpAddress(text.trim());
  return address && formatIpAddress(unmapped(address));
}
