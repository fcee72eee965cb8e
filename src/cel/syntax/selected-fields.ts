import { type Expr, operators } from './ast.ts';

/** Whether `variable.field` or `variable.?field` occurs in an expression. */
export function selectsField(expr: Expr, variable: string, field: string): boolean {
  const isVariable = (each: Expr | undefined): boolean => each?.kind === 'ident' && each.name === variable;
  if (expr.kind === 'select' && expr.field === field && isVariable(expr.operand)) return true;
  if (expr.kind === 'call' && expr.function === operators.optionalSelect && isVariable(expr.args[0])) {
    const [, name] = expr.args;
    if (name?.kind === 'literal' && name.value === field) return true;
  }
  return partsOf(expr).some((part) => selectsField(part, variable, field));
}

function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements.map(({ value }) => value);
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
    default:
      return [];
  }
}
