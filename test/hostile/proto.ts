/** Hand-written protocol buffers, including what no encoder would write. */

const varintType = 0;
const bytesType = 2;

export function varint(value: bigint | number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

export function numberField(field: number, value: bigint | number): Buffer {
  return Buffer.concat([varint((field << 3) | varintType), varint(value)]);
}

export function bytesField(field: number, value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([varint((field << 3) | bytesType), varint(bytes.length), bytes]);
}

/** `item` repeated `count` times. */
export function repeated(item: Uint8Array, count: number): Buffer {
  return Buffer.alloc(item.length * count, item);
}

/** As sent by Kubernetes clients: the magic number and a `runtime.Unknown`. */
export function envelope(apiVersion: string, kind: string, raw: Uint8Array): Buffer {
  const typeMeta = Buffer.concat([bytesField(1, apiVersion), bytesField(2, kind)]);
  return Buffer.concat([Buffer.from('k8s\0'), bytesField(1, typeMeta), bytesField(2, raw)]);
}
