import type { JsonObject } from '../../../src/api/json/json.ts';
import type { PolicyCase } from '../policy-case.ts';
import { policyCase, validation } from './writes.ts';

// Policies whose expressions are rejected on write.

const passes = validation('true');
const condition = (expression: string): JsonObject => ({ ...passes, matchConditions: [{ name: 'c', expression }] });
const variable = (name: string, expression: string): JsonObject => ({ name, expression });
const annotation = (valueExpression: string): JsonObject => ({ auditAnnotations: [{ key: 'k', valueExpression }] });
const message = (messageExpression: string): JsonObject => validation('false', { messageExpression });

const policies: readonly (readonly [string, JsonObject])[] = [
  ['no bool', validation('1 + 1')],
  ['no bool but dyn', validation('object.data.a')],
  ['syntax', validation('object.')],
  ['syntax on the second line', validation('true &&\n  object.')],
  ['undeclared', validation('other.data.a == 1')],
  ['two mistakes', validation('other.a == 1 && another.b == 2')],
  ['unknown field of the request', validation('request.nothing == 1')],
  ['unknown field of the namespace', validation('namespaceObject.metadata.ownerReferences.size() > 0')],
  ['params without paramKind', validation('params.data.a == "1"')],
  ['params with paramKind', { ...validation('params == null'), paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }],
  ['an unknown function', validation('object.data.a.nothing()')],
  ['types that do not fit', validation("1 == 'a'")],
  ['a literal that is no address', validation("ip('1.2.3').family() == 4")],
  ['a pattern that is none', validation("'a'.matches('[')")],
  ['white space alone', validation('  ')],
  ['a condition without bool', condition('1')],
  ['a condition about variables', { ...condition('variables.a'), variables: [variable('a', 'true')] }],
  ['a condition about params', condition('params == null')],
  ['a condition about permissions', condition("authorizer.path('/x').check('get').allowed()")],
  ['a condition with blanks', condition('  other  ')],
  ['a message without text', message('1')],
  ['a message about permissions', message("authorizer.path('/x').check('get').reason()")],
  ['a message about params', message('params.metadata.name')],
  ['a message with blanks', message('  other  ')],
  ['a blank message', message('  ')],
  ['an annotation without text', annotation('1')],
  ['an annotation with blanks', annotation('  other  ')],
  ['an annotation of null', annotation('null')],
  ['an annotation of either', annotation("true ? 'a' : null")],
  ['a variable of a later one', { ...passes, variables: [variable('a', 'variables.b'), variable('b', 'true')] }],
  ['a variable of itself', { ...passes, variables: [variable('a', 'variables.a')] }],
  ['a variable that does not compile', { ...validation('variables.a'), variables: [variable('a', 'other')] }],
  ['a variable of the wrong type', { ...validation('variables.a'), variables: [variable('a', '1')] }],
  ['a variable in a sum', { ...validation("variables.a + 'x' == ''"), variables: [variable('a', '1')] }],
  ['a list in a sum', { ...validation("variables.a[0] + 'x' == ''"), variables: [variable('a', '[1]')] }],
  ['an unknown variable', { ...validation('variables.b'), variables: [variable('a', 'true')] }],
  ['variables without variables', validation('variables.b')],
  ['a variable with a reserved name', { ...validation('variables.in'), variables: [variable('in', 'true')] }],
  [
    'two variables of one name',
    { ...validation('variables.a'), variables: [variable('a', '1'), variable('a', 'true')] },
  ],
  ['an optional variable', { ...validation('variables.a.hasValue()'), variables: [variable('a', 'optional.of(1)')] }],
  ['an optional value', { ...validation('variables.a.value() == 1'), variables: [variable('a', 'optional.of(1)')] }],
  [
    'a variable of an optional',
    {
      ...validation('variables.b == 1'),
      variables: [variable('a', 'optional.of(1)'), variable('b', 'variables.a.orValue(2)')],
    },
  ],
  ['types of mutations', validation('Object{} == null')],
  ['a deep expression', validation(`${'('.repeat(300)}true${')'.repeat(300)}`)],
];

export const refusalCases: readonly PolicyCase[] = policies.map(([name, policy]) =>
  policyCase(`stored: ${name}`, policy),
);
