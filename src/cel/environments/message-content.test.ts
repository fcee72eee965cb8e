import { describe, expect, it } from 'vitest';
import { answer } from '../../../test/recorded/cel/answer.ts';
import { prepareExpressions } from './kubernetes.ts';

await prepareExpressions();

/** Type URLs of packed messages begin with it. */
const url = 'type.googleapis.com/google.protobuf.';

describe('the content of google.protobuf.Any', () => {
  it.each([
    ['Int32Value', '\\x08\\x05', '5'],
    ['Int64Value', '\\x08\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x01', '-1'],
    ['UInt64Value', '\\x08\\x07', '7u'],
    ['BoolValue', '\\x08\\x01', 'true'],
    ['DoubleValue', '\\x09\\x00\\x00\\x00\\x00\\x00\\x00\\xf8\\x3f', 'double(1.5)'],
    ['StringValue', '\\x0a\\x01a', '"a"'],
    ['BytesValue', '\\x0a\\x01a', 'bytes(61)'],
    ['Duration', '\\x08\\x05', 'duration(5000000000)'],
    ['Timestamp', '\\x08\\x05', 'timestamp(1970-01-01T00:00:05Z)'],
    ['Value', '\\x1a\\x01a', '"a"'],
    ['ListValue', '\\x0a\\x03\\x1a\\x01a', '["a"]'],
  ])('is the value of %s %s', (name, bytes, result) => {
    const expression = `google.protobuf.Any{type_url: "${url}${name}", value: b"${bytes}"}`;
    expect(answer({ setting: 'plain', expression }).result).toBe(result);
  });

  it('is shown where it is no such message', () => {
    const expression = `google.protobuf.Any{type_url: "${url}Int32Value", value: b"\\xff"}`;
    expect(answer({ setting: 'plain', expression }).error).toBe(
      `unsupported conversion to ref.Val: (*dynamicpb.Message)type_url:"${url}Int32Value" value:"\\xff"`,
    );
  });
});
