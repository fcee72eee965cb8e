import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schema/custom/json-schema.ts';
import { newExpressionEnvironment, prepareExpressions } from '../environments/kubernetes.ts';
import { withoutPauses } from '../program/pause.ts';
import type { DeclaredType } from '../schemas/declared-type.ts';
import { declaredTypeOf } from '../schemas/from-json-schema.ts';
import { readerOf } from '../schemas/readers.ts';
import { type CompiledRules, compiledRules, maxCardinality, type ValidationRule } from './compile-rule.ts';
import { evaluateRules, type RuleEvaluation } from './evaluate-rules.ts';
import { maxCallCost } from './limits.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    size: { type: 'integer' },
    text: { type: 'string', maxLength: 10 },
    any: { 'x-kubernetes-int-or-string': true },
    list: { type: 'array', items: { type: 'integer' } },
  },
};

beforeAll(prepareExpressions);

function declared(of: JsonSchema): DeclaredType {
  const type = declaredTypeOf(of, false);
  if (type === undefined) throw new Error('expressions cannot see the schema');
  return type;
}

function compiled(rules: readonly ValidationRule[], of = schema): CompiledRules {
  const ruled = { ...of, 'x-kubernetes-validations': [...rules] };
  const options = { declared: declared(of), environmentOf: () => newExpressionEnvironment(37) };
  return {
    rules: [...compiledRules(ruled, options)].filter((rule) => rule !== undefined),
    read: readerOf(of),
    type: of.type ?? '',
  };
}

function evaluated(rule: ValidationRule, self: unknown, oldSelf?: unknown, budget = 1000): RuleEvaluation {
  return withoutPauses(
    evaluateRules(compiled([rule]), { self, oldSelf }, { budget, each: { costLimit: maxCallCost } }),
  );
}

function details(rule: ValidationRule, self: unknown, oldSelf?: unknown, budget?: number): readonly string[] {
  return evaluated(rule, self, oldSelf, budget).failures.map(({ detail }) => detail);
}

describe('rules', () => {
  it.each([
    [{ rule: 'self.' }, /^compilation failed: ERROR: <input>:1:6: Syntax error/],
    [{ rule: 'self.other' }, /^compilation failed: ERROR: <input>:1:5: undefined field 'other'/],
    [{ rule: 'self.size' }, /^cel expression must evaluate to a bool$/],
    [{ rule: 'self.text.matches("(")' }, /^compilation failed: ERROR: .*\n.*\n.*/],
  ])('that are invalid: $rule', (rule, error) => {
    expect(compiled([rule]).rules[0]?.error).toMatch(error);
  });

  it.each([
    ['1', 'messageExpression must evaluate to a string'],
    ['other', 'messageExpression compilation failed: ERROR: <input>:1:1: undeclared reference to'],
  ])('have a message of %s', (messageExpression, error) => {
    expect(compiled([{ rule: 'true', messageExpression }]).rules[0]?.messageError).toContain(error);
  });

  it('report their maximum cost and cardinality', () => {
    const { rules } = compiled([{ rule: 'self.text.contains("a")', messageExpression: '"a"' }, { rule: ' ' }]);
    expect(rules[0]?.condition?.maxCost).toBe(6n);
    expect(rules[0]?.message?.maxCost).toBe(0n);
    expect(rules[1]?.condition).toBeUndefined();
    expect(maxCardinality(declared(schema))).toBe(Math.floor((3 * 1024 * 1024) / 3));
  });

  it('hold or do not', () => {
    expect(evaluated({ rule: 'self.size > 1' }, { size: 2 })).toEqual({ failures: [], budget: 997 });
    expect(
      evaluated({ rule: 'self.size > 1', fieldPath: '.size', reason: 'FieldValueForbidden' }, { size: 1 }),
    ).toEqual({
      failures: [
        {
          fieldPath: 'size',
          detail: 'failed rule: self.size > 1',
          reason: 'FieldValueForbidden',
          shows: 'nothing',
          isRatcheted: true,
        },
      ],
      budget: 997,
    });
  });

  it('give a reason in their own words', () => {
    expect(details({ rule: 'false', message: ' no \n' }, {})).toEqual(['no']);
    expect(details({ rule: 'false', messageExpression: '"size " + string(self.size)' }, { size: 3 })).toEqual([
      'size 3',
    ]);
    for (const messageExpression of ['" "', '"a\\nb"', 'string(self.size)', `"${'a'.repeat(5121)}"`]) {
      expect(details({ rule: 'false', message: 'no', messageExpression }, {})).toEqual(['no']);
    }
  });

  it('fail', () => {
    expect(details({ rule: 'self.size > 1' }, {})).toEqual(['no such key: size evaluating rule: self.size > 1']);
    expect(details({ rule: 'self.any > 1' }, { any: 'a' })).toEqual([
      "'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.any > 1",
    ]);
  });

  it('with oldSelf apply to updates', () => {
    const rule = { rule: 'self.size >= oldSelf.size' };
    expect(details(rule, { size: 1 })).toEqual([]);
    expect(details(rule, { size: 1 }, { size: 2 })).toEqual(['failed rule: self.size >= oldSelf.size']);
    const optional = {
      rule: 'oldSelf.hasValue() && self.size >= oldSelf.value().size',
      optionalOldSelf: true,
      message: 'no',
    };
    expect(details(optional, { size: 1 })).toEqual(['no']);
    expect(details(optional, { size: 1 }, { size: 1 })).toEqual([]);
  });

  it('stop when the budget is used up', () => {
    const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';
    const rule = { rule: 'self.size > 1' };
    expect(details(rule, { size: 2 }, undefined, 0)).toEqual([outOfBudget]);
    expect(evaluated(rule, { size: 2 }, undefined, 2).budget).toBeUndefined();
    expect(details(rule, { size: 2 }, undefined, 2)).toEqual([outOfBudget]);
    expect(details({ rule: 'false', messageExpression: '"a" + "b" + "c"' }, {}, undefined, 1)).toEqual([
      'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
    ]);
  });

  it('stop at the cost limit of a single rule', () => {
    const list = Array.from({ length: 600 }, (_, index) => index);
    const rule = 'self.list.all(a, self.list.all(b, a < 1000))';
    expect(details({ rule }, { list }, undefined, 10_000_000)).toEqual([
      `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`,
    ]);
  });
});
