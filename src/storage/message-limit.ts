import { StorageError } from './contract.ts';

/** The message size limit of etcd clients. */
const maxMessageBytes = 2 * 1024 * 1024;

/** Throws such a client's error for writes that are too large to be sent; etcd itself refuses smaller ones. */
export function checkMessageSize(bytes: number): void {
  if (bytes <= maxMessageBytes) return;
  const sizes = `(${bytes} vs. ${maxMessageBytes})`;
  throw new StorageError(
    'too-large',
    `rpc error: code = ResourceExhausted desc = trying to send message larger than max ${sizes}`,
  );
}
