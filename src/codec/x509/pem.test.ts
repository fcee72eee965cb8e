import { describe, expect, it } from 'vitest';

import { pemBlocks } from './pem.ts';

const block = (type: string, body: string): string => `-----BEGIN ${type}-----\n${body}-----END ${type}-----\n`;
const seen = (text: string): string[] => pemBlocks(text).map(({ type, bytes }) => `${type} ${bytes.toString()}`);

describe('pemBlocks', () => {
  it('skips what stands around blocks', () => {
    expect(seen(`a: b\n${block('X', 'aGk=\n')}\ntext ü\n${block('Y', 'aGkh\n')}`)).toEqual(['X hi', 'Y hi!']);
  });

  it('skips blocks that are not well-formed', () => {
    expect(seen(block('X', 'a\n') + block('Y', 'aGk=\n'))).toEqual(['Y hi']);
    expect(seen(block('X', 'aGk=\n').replace('END X', 'END Y') + block('Y', 'aGk=\n'))).toEqual(['Y hi']);
    expect(seen(` ${block('X', 'aGk=\n')}`)).toEqual([]);
  });

  it('takes a beginning that is repeated once', () => {
    expect(seen(`-----BEGIN X-----\n${block('X', 'aGk=\n')}`)).toEqual(['X hi']);
  });

  it('knows headers', () => {
    expect(pemBlocks(block('X', 'A: b\n\naGk=\n'))[0]).toEqual({
      type: 'X',
      hasHeaders: true,
      bytes: Buffer.from('hi'),
    });
  });

  it('takes an empty block', () => {
    expect(seen(block('X', ''))).toEqual(['X ']);
  });
});
