import { StorageError } from './contract.ts';

/** Clients of etcd send no larger messages. */
const maxMessageBytes = 2 * 1024 * 1024;

/** Throws, in the words of such a client, for a write that is too large to be sent; etcd itself refuses smaller ones. */
export function checkMessageSize(bytes: number): void {
  if (bytes <= maxMessageBytes) return;
  const sizes = `(${bytes} vs. ${maxMessageBytes})`;
  throw new StorageError(
    'too-large',
    `rpc error: code = ResourceExhausted desc = trying to send message larger than max ${sizes}`,
  );
}
