import { dnsLabelErrors, dnsSubdomainErrors } from '../../api/meta/names.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import { type CelType, structType, types } from '../types/cel-type.ts';
import { CelError, LibraryValue, type Value } from '../values/value.ts';
import { binary, declare, type Library, many, member, unary } from './define.ts';

const { bool, string } = types;

export const authorizerTypes = {
  authorizer: structType('kubernetes.authorization.Authorizer'),
  pathCheck: structType('kubernetes.authorization.PathCheck'),
  groupCheck: structType('kubernetes.authorization.GroupCheck'),
  resourceCheck: structType('kubernetes.authorization.ResourceCheck'),
  decision: structType('kubernetes.authorization.Decision'),
} as const;

/** The check that an expression builds. */
export interface AuthorizationQuestion {
  readonly user: UserInfo;
  readonly verb: string;
  /** For non-resource checks. */
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Unparsed; the authorizer parses them. */
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

export interface AuthorizationOutcome {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  readonly reason: string;
  readonly error?: string;
}

type Ask = (question: AuthorizationQuestion) => AuthorizationOutcome | Promise<AuthorizationOutcome>;

/** Remembers decisions. */
class Questions {
  readonly #ask: Ask;
  /** Created by the first question: few expressions ask any. */
  #decisions: Map<string, DecisionValue> | undefined;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  decide(question: AuthorizationQuestion): DecisionValue {
    const key = JSON.stringify(question);
    const decisions = (this.#decisions ??= new Map<string, DecisionValue>());
    let decision = decisions.get(key);
    if (decision === undefined) decisions.set(key, (decision = new DecisionValue(this.#ask(question))));
    return decision;
  }
}

/** Values of this library are not comparable, not even to themselves. */
abstract class Receiver extends LibraryValue {
  get text(): string {
    return this.type.name;
  }

  override get hasText(): boolean {
    return false;
  }

  get goType(): string {
    return 'library.receiverOnlyObjectVal';
  }

  protected isSame(): undefined {
    return undefined;
  }
}

export class AuthorizerValue extends Receiver {
  readonly user: UserInfo;
  readonly questions: Questions;

  private constructor(user: UserInfo, questions: Questions) {
    super();
    this.user = user;
    this.questions = questions;
  }

  static of(user: UserInfo, ask: Ask): AuthorizerValue {
    return new AuthorizerValue(user, new Questions(ask));
  }

  get type(): CelType {
    return authorizerTypes.authorizer;
  }

  serviceAccount(namespace: string, name: string): AuthorizerValue {
    const user: UserInfo = {
      name: `system:serviceaccount:${namespace}:${name}`,
      uid: '',
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
      extra: {},
    };
    return new AuthorizerValue(user, this.questions);
  }
}

type Subject = Omit<AuthorizationQuestion, 'user' | 'verb'>;

/** A check that lacks only its verb. */
export class CheckValue extends Receiver {
  readonly type: CelType;
  readonly #authorizer: AuthorizerValue;
  readonly #subject: Subject;

  constructor(type: CelType, authorizer: AuthorizerValue, subject: Subject) {
    super();
    this.type = type;
    this.#authorizer = authorizer;
    this.#subject = subject;
  }

  /** A copy with more attributes. */
  about(more: Subject, type = this.type): CheckValue {
    return new CheckValue(type, this.#authorizer, { ...this.#subject, ...more });
  }

  check(verb: string): DecisionValue {
    const { user, questions } = this.#authorizer;
    return questions.decide({ ...this.#subject, user, verb });
  }
}

export class DecisionValue extends Receiver {
  #outcome: AuthorizationOutcome | undefined;
  readonly #awaited: Promise<void> | undefined;

  constructor(outcome: AuthorizationOutcome | Promise<AuthorizationOutcome>) {
    super();
    if (outcome instanceof Promise) this.#awaited = outcome.then((each) => void (this.#outcome = each));
    else this.#outcome = outcome;
  }

  override get awaited(): Promise<void> | undefined {
    return this.#outcome === undefined ? this.#awaited : undefined;
  }

  get outcome(): AuthorizationOutcome {
    if (this.#outcome === undefined) throw new Error('a decision has not been waited for');
    return this.#outcome;
  }

  get type(): CelType {
    return authorizerTypes.decision;
  }
}

const { authorizer, pathCheck, groupCheck, resourceCheck, decision } = authorizerTypes;

function serviceAccount([target, namespace, name]: readonly Value[]): Value {
  if (dnsSubdomainErrors(name as string).length > 0) return new CelError('Invalid service account name');
  if (dnsLabelErrors(namespace as string).length > 0) return new CelError('Invalid service account namespace');
  return (target as AuthorizerValue).serviceAccount(namespace as string, name as string);
}

function isBlank(value: Value): boolean {
  return (value as string).trim() === '';
}

const check = binary((target, verb) => (target as CheckValue).check(verb as string));

/** Builder methods: `[function, overload, attribute]`. */
function narrowing(rows: readonly (readonly [name: keyof Subject, id: string])[]): Library['functions'] {
  return rows.map(([name, id]) =>
    declare(
      name,
      member(
        id,
        [[resourceCheck, string], resourceCheck],
        binary((target, value) => (target as CheckValue).about({ [name]: value as string })),
      ),
    ),
  );
}

const facts = [
  ['errored', 'decision_errored', bool, ({ error }: AuthorizationOutcome) => error !== undefined],
  ['error', 'decision_error', string, ({ error }: AuthorizationOutcome) => error ?? ''],
  ['allowed', 'decision_allowed', bool, (outcome: AuthorizationOutcome) => outcome.decision === 'allow'],
  ['reason', 'decision_reason', string, ({ reason }: AuthorizationOutcome) => reason],
] as const;

export const authorizerLibrary: Library = {
  name: 'kubernetes.authz',
  functions: [
    declare(
      'path',
      member(
        'authorizer_path',
        [[authorizer, string], pathCheck],
        binary((target, path) => {
          if (isBlank(path)) return new CelError('path must not be empty');
          return new CheckValue(pathCheck, target as AuthorizerValue, { path: path as string });
        }),
      ),
    ),
    declare(
      'group',
      member(
        'authorizer_group',
        [[authorizer, string], groupCheck],
        binary((target, group) => new CheckValue(groupCheck, target as AuthorizerValue, { group: group as string })),
      ),
    ),
    declare(
      'serviceAccount',
      member('authorizer_serviceaccount', [[authorizer, string, string], authorizer], many(serviceAccount)),
    ),
    declare(
      'resource',
      member(
        'groupcheck_resource',
        [[groupCheck, string], resourceCheck],
        binary((target, resource) => {
          if (isBlank(resource)) return new CelError('resource must not be empty');
          return (target as CheckValue).about({ resource: resource as string }, resourceCheck);
        }),
      ),
    ),
    ...(narrowing([
      ['subresource', 'resourcecheck_subresource'],
      ['namespace', 'resourcecheck_namespace'],
      ['name', 'resourcecheck_name'],
    ]) ?? []),
    {
      ...declare(
        'check',
        member('pathcheck_check', [[pathCheck, string], decision], check),
        member('resourcecheck_check', [[resourceCheck, string], decision], check),
      ),
      mayWait: true,
    },
    ...facts.map(([name, id, result, of]) =>
      declare(
        name,
        member(
          id,
          [[decision], result],
          unary((value) => of((value as DecisionValue).outcome)),
        ),
      ),
    ),
  ],
};

export const authorizerSelectorsLibrary: Library = {
  name: 'kubernetes.authzSelectors',
  functions:
    narrowing([
      ['fieldSelector', 'authorizer_fieldselector'],
      ['labelSelector', 'authorizer_labelselector'],
    ]) ?? [],
};
