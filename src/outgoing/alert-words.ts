/** Why a server has ended TLS, in Go's words, by the number of its alert (RFC 8446, section 6). */
const alerts: ReadonlyMap<number, string> = new Map([
  [10, 'unexpected message'],
  [20, 'bad record MAC'],
  [22, 'record overflow'],
  [40, 'handshake failure'],
  [42, 'bad certificate'],
  [43, 'unsupported certificate'],
  [44, 'revoked certificate'],
  [45, 'expired certificate'],
  [46, 'unknown certificate'],
  [47, 'illegal parameter'],
  [48, 'unknown certificate authority'],
  [49, 'access denied'],
  [50, 'error decoding message'],
  [51, 'error decrypting message'],
  [70, 'protocol version not supported'],
  [71, 'insufficient security level'],
  [80, 'internal error'],
  [86, 'inappropriate fallback'],
  [90, 'user canceled'],
  [109, 'missing extension'],
  [110, 'unsupported extension'],
  [112, 'unrecognized name'],
  [116, 'certificate required'],
  [120, 'no application protocol'],
]);

/** Go's message for an error of OpenSSL that tells of an alert; undefined for others. */
export function alertWords({ message }: Error): string | undefined {
  const alert = /SSL alert number (\d{1,3})\b/.exec(message)?.[1];
  return alert === undefined ? undefined : `remote error: tls: ${alerts.get(Number(alert)) ?? `alert(${alert})`}`;
}
