import { setImmediate as nextRound } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fieldErrorText } from '../../api/errors/field-error.ts';
import type { JsonValue } from '../../api/json/json.ts';
import { partSchema } from '../../schema/custom/custom-schema.ts';
import type { JsonSchema } from '../../schema/custom/json-schema.ts';
import { prepareRules, ruleErrors } from './object-rules.ts';

const item: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, size: { type: 'integer' } },
  'x-kubernetes-validations': [{ rule: 'self.size > 0' }, { rule: 'self.size >= oldSelf.size' }],
};

const schema: JsonSchema = {
  type: 'object',
  properties: {
    keyed: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: item },
    plain: { type: 'array', items: item },
  },
};

async function errors(value: JsonValue, old?: JsonValue): Promise<readonly string[]> {
  const tree = await prepareRules(schema);
  if (tree === undefined) throw new Error('the schema has rules');
  const before = old === undefined ? undefined : { schema: partSchema(schema), value: old };
  const found = await ruleErrors(tree, { value, old: before, path: '' });
  return found.map((error) => `${error.isForgiven === true ? 'forgiven: ' : ''}${fieldErrorText(error)}`);
}

describe('rules of an object', () => {
  it('are evaluated on everything in it', async () => {
    expect(await errors({ keyed: [{ name: 'a', size: 0 }], plain: [{ size: 1 }, {}] })).toEqual([
      'keyed[0]: Invalid value: failed rule: self.size > 0',
      'plain[1]: Invalid value: "object": no such key: size evaluating rule: self.size > 0',
    ]);
  });

  it('compare items with the same keys', async () => {
    const old = { keyed: [{ name: 'a', size: 3 }], plain: [{ size: 3 }] };
    const value = {
      keyed: [
        { name: 'b', size: 1 },
        { name: 'a', size: 2 },
      ],
      plain: [{ size: 2 }],
    };
    expect(await errors(value, old)).toEqual(['keyed[1]: Invalid value: failed rule: self.size >= oldSelf.size']);
  });

  it('tolerate what was already invalid', async () => {
    const old = { keyed: [{ name: 'a', size: 0 }], plain: [{ size: 0 }] };
    const value = {
      keyed: [
        { name: 'b', size: 0 },
        { name: 'a', size: 0 },
      ],
      plain: [{ size: 0 }],
    };
    expect(await errors(value, old)).toEqual([
      'keyed[0]: Invalid value: failed rule: self.size > 0',
      'forgiven: keyed[1]: Invalid value: failed rule: self.size > 0',
      'forgiven: plain[0]: Invalid value: failed rule: self.size > 0',
    ]);
  });

  it('are absent without rules', async () => {
    expect(await prepareRules({ type: 'object', properties: { a: { type: 'string' } } })).toBeUndefined();
  });

  describe('when each takes long', () => {
    afterEach(() => {
      vi.restoreAllMocks();
    });

    /** How often others run while rules are compiled and evaluated, if the time slice is over after each. */
    async function roundsOf(count: number): Promise<number> {
      const rules = Array.from({ length: count }, (_, index) => ({ rule: `self.size > ${index}` }));
      const tree = await prepareRules({ ...item, 'x-kubernetes-validations': rules });
      if (tree === undefined) throw new Error('the schema has rules');
      let nowMs = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 10));
      const errors = Promise.resolve(ruleErrors(tree, { value: { size: count }, path: '' }));
      let isDone = false;
      void errors.then(() => (isDone = true));
      let rounds = 0;
      for (; !isDone; rounds += 1) await nextRound();
      expect(await errors).toEqual([]);
      return rounds;
    }

    it('let others run after each', async () => {
      // Once after each compilation, and once before each evaluation.
      expect(await roundsOf(50)).toBeGreaterThanOrEqual(2 * 50);
    });
  });
});
