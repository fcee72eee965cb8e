import { beforeAll, describe, expect, it } from 'vitest';
import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import { AuthorizerValue, authorizerTypes } from '../libraries/authorizer.ts';
import { Pause } from '../program/pause.ts';
import type { Evaluation } from '../program/program.ts';
import { types } from '../types/cel-type.ts';
import { CelError } from '../values/value.ts';
import { newExpressionEnvironment, prepareExpressions, storedExpressionEnvironment } from './kubernetes.ts';

beforeAll(prepareExpressions);

function evaluated(text: string, limit = 1_000_000): Evaluation {
  return newExpressionEnvironment(37).check(text).program().evaluate({}, limit);
}

describe('environments', () => {
  it('have the features of the release', () => {
    const text = 'semver("1.2.3").major() == 1';
    expect(() => newExpressionEnvironment(32).check(text)).toThrow("undeclared reference to 'semver'");
    expect(newExpressionEnvironment(33).check(text).type).toBe(types.bool);
  });

  it('of stored expressions have all features', () => {
    expect(
      storedExpressionEnvironment().check('[1, 2].transformList(i, v, i + v).sum() > semver("1.2.3").major()').type,
    ).toBe(types.bool);
  });

  it('refuse very long expressions', () => {
    expect(() => newExpressionEnvironment(37).check(' '.repeat(100_001))).toThrow(
      'expression code point size exceeds limit: size: 100001, limit 100000',
    );
    expect(evaluated(`"${'\u{1f600}'.repeat(99_000)}".size()`).value).toBe(99_000);
  });

  it.each([
    ['('.repeat(300) + '1' + ')'.repeat(300)],
    [`${'!'.repeat(3)}${'['.repeat(300)}${']'.repeat(300)}`],
    [
      Array.from({ length: 500 }, () => 'a')
        .join('.b(')
        .concat(')'.repeat(499)),
    ],
    ['a ? b : '.repeat(300).concat('c')],
  ])('refuse deep ones: %#', (text) => {
    expect(() => newExpressionEnvironment(37).check(text)).toThrow('expression recursion limit exceeded: 250');
  });

  it('refuse those that grow with each macro', () => {
    const chain = (length: number): string =>
      `optional.of(1)${Array.from({ length }, () => '.optMap(v, v + 1)').join('')}.value()`;
    expect(evaluated(chain(4)).value).toBe(5);
    expect(() => newExpressionEnvironment(37).check(chain(40))).toThrow('expression is too large for this macro');
  });

  it.each([
    '('.repeat(50_000),
    '"'.repeat(50_001),
    '[1,'.repeat(30_000),
    `${'a.'.repeat(49_000)}a`,
    Array.from({ length: 20_000 }, () => '1').join(' + '),
    Array.from({ length: 20_000 }, () => 'true').join(' && '),
    `[${Array.from({ length: 20_000 }, () => 'x').join(', ')}]`,
    ') '.repeat(50_000),
    '? '.repeat(50_000),
    '- '.repeat(50_000),
  ])('check long ones quickly: %#', (text) => {
    const check = (): void => {
      try {
        newExpressionEnvironment(37).check(text);
      } catch {
        // Most are not valid.
      }
    };
    expect(cpuTimeRatio(check, 2000)).toBeLessThan(1);
  });
});

describe('evaluations', () => {
  it('stop when they cost too much', () => {
    const list = `[${Array.from({ length: 200 }, (_, index) => index).join(', ')}]`;
    const { value, isCancelled } = evaluated(`${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`);
    expect(isCancelled).toBe(true);
    expect(value).toEqual(new CelError('operation cancelled: actual cost limit exceeded'));
  });

  it('count a long string once', () => {
    const environment = newExpressionEnvironment(37).with([
      ['text', types.string],
      ['list', types.dyn],
    ]);
    const program = environment.check('list.all(i, text.size() > i)').program();
    const bindings = { text: 'a'.repeat(100_000), list: Array.from({ length: 3000 }, (_, index) => index) };
    expect(cpuTimeRatio(() => program.evaluate(bindings, 1_000_000), 300)).toBeLessThan(1);
  });

  it('skip unused values', () => {
    const environment = newExpressionEnvironment(37).with([['late', types.int]]);
    const program = environment.check('1 > 2 && late > 1').program();
    expect(program.evaluate({}, 100).value).toBe(false);
    const looking = environment.check('late > 1').program();
    expect(looking.evaluate({}, 100).value).toEqual(new CelError('no such attribute(s): late'));
  });

  it('wait for authorizers, which are called once', async () => {
    const environment = newExpressionEnvironment(37).with([['authorizer', authorizerTypes.authorizer]]);
    const checked: string[] = [];
    const authorizer = AuthorizerValue.of({ name: 'jane', uid: '', groups: [], extra: {} }, async ({ verb }) => {
      checked.push(verb);
      await Promise.resolve();
      return { decision: verb === 'get' ? 'allow' : 'deny', reason: '' };
    });
    const check = (verb: string): string => `authorizer.group("").resource("pods").check("${verb}").allowed()`;
    const text = `${check('get')} && !${check('list')} && ${check('get')}`;
    let evaluation = environment.check(text).program().begin({ authorizer }, { costLimit: 10_000_000 });
    while (evaluation instanceof Pause) {
      await evaluation.awaited;
      evaluation = evaluation.goOn();
    }
    expect(evaluation.value).toBe(true);
    expect(checked).toEqual(['get', 'list']);
  });
});
