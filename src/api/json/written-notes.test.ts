import { describe, expect, it } from 'vitest';
import { copyJson } from './json.ts';
import {
  hasNotedFloats,
  isNotedFloat,
  keepNotes,
  noteEmpty,
  noteFloat,
  takeMember,
  writtenEmpty,
} from './written-notes.ts';

describe('noted floats', () => {
  it('belong to one member of one container', () => {
    const object = { a: 1, b: 1 };
    noteFloat(object, 'a');
    expect([isNotedFloat(object, 'a'), isNotedFloat(object, 'b')]).toEqual([true, false]);
    expect(hasNotedFloats({ a: 1 })).toBe(false);
  });

  it('stay in deep copies', () => {
    const list = [1, 2];
    noteFloat(list, 1);
    const inner = { list };
    for (const copy of [copyJson(inner), copyJson(inner) as typeof inner]) {
      expect([isNotedFloat(copy.list, 0), isNotedFloat(copy.list, 1)]).toEqual([false, true]);
    }
  });

  it('of a copy are its own', () => {
    const object = { a: 1, b: 2 };
    noteFloat(object, 'a');
    const copy = keepNotes(object, { ...object });
    noteFloat(copy, 'b');
    expect(isNotedFloat(object, 'b')).toBe(false);
  });

  it('that a copy had before are forgotten', () => {
    const copy = { a: 1 };
    noteFloat(copy, 'a');
    expect(hasNotedFloats(keepNotes({ a: 1 }, copy))).toBe(false);
  });

  it('of a member are taken over with it', () => {
    const [written, absent]: { list?: string[] }[] = [{}, {}];
    noteEmpty(written ?? {}, 'list', 'list');
    const [to, back]: { list?: string[] }[] = [{ list: ['a'] }, {}];
    takeMember(to ?? {}, written ?? {}, 'list');
    expect([to, writtenEmpty(to ?? {}, 'list')]).toEqual([{}, []]);
    takeMember(to ?? {}, absent ?? {}, 'list');
    expect(writtenEmpty(to ?? {}, 'list')).toBeUndefined();
    takeMember(back ?? {}, { list: ['b'] }, 'list');
    expect(back).toEqual({ list: ['b'] });
  });
});
