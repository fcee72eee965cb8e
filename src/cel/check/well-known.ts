import { type CelType, isDyn } from '../types/cel-type.ts';

const primitives: { readonly [K in CelType['kind']]?: string } = {
  bool: 'google.protobuf.BoolValue',
  bytes: 'google.protobuf.BytesValue',
  double: 'google.protobuf.DoubleValue',
  int: 'google.protobuf.Int64Value',
  string: 'google.protobuf.StringValue',
  uint: 'google.protobuf.UInt64Value',
};
const messages: { readonly [K in CelType['kind']]?: string } = {
  any: 'google.protobuf.Any',
  duration: 'google.protobuf.Duration',
  dyn: 'google.protobuf.Value',
  null: 'google.protobuf.NullValue',
  timestamp: 'google.protobuf.Timestamp',
};

/** The message type that a CEL type is written as; undefined for others. */
export function wellKnownName(type: CelType): string | undefined {
  const [first, second] = type.params;
  if (type.kind === 'list') return first !== undefined && isDyn(first) ? 'google.protobuf.ListValue' : undefined;
  if (type.kind === 'map') {
    const isStruct = first?.kind === 'string' && second !== undefined && isDyn(second);
    return isStruct ? 'google.protobuf.Struct' : undefined;
  }
  return type.isNullable === true ? primitives[type.kind] : messages[type.kind];
}
