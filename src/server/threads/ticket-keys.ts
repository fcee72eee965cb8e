import { randomBytes } from 'node:crypto';

/** As `node:tls` wants them. */
const ticketKeyBytes = 48;

/** By which clients resume TLS sessions on any thread. */
export function newTicketKeys(): Buffer {
  return randomBytes(ticketKeyBytes);
}
