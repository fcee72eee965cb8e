import { operators } from '../syntax/ast.ts';
import { argumentsText, type CelType, isDyn, isSameType, types, typeText } from '../types/cel-type.ts';
import type { TypeVariables } from '../types/type-variables.ts';
import { type FunctionDeclaration, type Overload, paramsOf } from './declarations.ts';

export type Resolution =
  | { readonly overloads: readonly string[]; readonly type: CelType }
  | { readonly issues: readonly { readonly argument?: number; readonly message: string }[] };

interface Circumstances {
  readonly isMember: boolean;
  /** Disabled overloads. */
  readonly disabled: ReadonlySet<string> | undefined;
  readonly variables: TypeVariables;
}

/** All overloads that accept the arguments; if their results differ, the type is dyn. */
export function resolveOverload(
  { name, overloads }: FunctionDeclaration,
  args: readonly CelType[],
  { isMember, disabled, variables }: Circumstances,
): Resolution {
  if (name === operators.and || name === operators.or) return resolveLogic(overloads, args, variables);
  const found: string[] = [];
  let type: CelType | undefined;
  for (const overload of overloads) {
    if (overload.isMember !== isMember || disabled?.has(overload.id) === true) continue;
    const signature = instantiated(overload, variables);
    if (!variables.areAssignable(args, signature.args)) continue;
    found.push(overload.id);
    const result = variables.resolve(signature.result);
    if (type === undefined) type = result;
    else if (!isDyn(type) && !isSameType(result, type)) type = types.dyn;
  }
  if (type !== undefined) return { overloads: found, type };
  const given = args.map((arg) => variables.resolve(arg, true));
  const message = `found no matching overload for '${name}' applied to '${argumentsText(given, isMember)}'`;
  return { issues: [{ message }] };
}

/** Type errors in the arguments of `&&` and `||` are reported one by one. */
function resolveLogic(overloads: readonly Overload[], args: readonly CelType[], variables: TypeVariables): Resolution {
  const issues = args.flatMap((arg, argument) =>
    variables.isAssignable(arg, types.bool)
      ? []
      : [{ argument, message: `expected type 'bool' but found '${typeText(arg)}'` }],
  );
  return issues.length > 0 ? { issues } : { overloads: overloads.map(({ id }) => id), type: types.bool };
}

/** A signature with fresh type variables. */
function instantiated(overload: Overload, variables: TypeVariables): Pick<Overload, 'args' | 'result'> {
  const names = paramsOf(overload);
  if (names.size === 0) return overload;
  const fresh = new Map([...names].map((name) => [name, variables.fresh()]));
  return {
    args: overload.args.map((arg) => substituted(arg, fresh)),
    result: substituted(overload.result, fresh),
  };
}

function substituted(type: CelType, fresh: ReadonlyMap<string, CelType>): CelType {
  if (type.kind === 'param') return fresh.get(type.name) ?? type;
  return type.params.length === 0 ? type : { ...type, params: type.params.map((param) => substituted(param, fresh)) };
}
