import { childrenOf, type Expr, operators } from './ast.ts';

/** Whether `variable.field` or `variable.?field` occurs in an expression. */
export function selectsField(expr: Expr, variable: string, field: string): boolean {
  const isVariable = (each: Expr | undefined): boolean => each?.kind === 'ident' && each.name === variable;
  if (expr.kind === 'select' && expr.field === field && isVariable(expr.operand)) return true;
  if (expr.kind === 'call' && expr.function === operators.optionalSelect && isVariable(expr.args[0])) {
    const [, name] = expr.args;
    if (name?.kind === 'literal' && name.value === field) return true;
  }
  return childrenOf(expr).some((part) => selectsField(part, variable, field));
}
