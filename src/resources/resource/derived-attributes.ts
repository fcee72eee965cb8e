import {
  childPath,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
  tooManyField,
} from '../../api/errors/field-error.ts';
import type * as resource from '../../schema/kubernetes/generated/types/resource-v1.ts';
import type { Errors } from '../parts/rules/rules.ts';
import type { DeviceExpressionChecks } from './device-expression-checks.ts';
import { declaredQualifiedName } from './device-names.ts';
import { distinct } from './device-rules.ts';
import { late } from './late-errors.ts';

const maxAttributes = 32;
const maxTotalCost = 1_000_000n;
const notConstrained =
  'must be referenced by at least one matchAttribute or distinctAttribute constraint targeting this request';

/** Rules of the attributes that the requests of a claim derive. */
export class DerivedAttributes {
  readonly expressions: () => DeviceExpressionChecks;
  /** Constrained attributes by request or `request/alternative`; those for all requests by an empty name. */
  readonly #constrained = new Map<string, Set<string>>();
  #totalCost = 0n;

  constructor(constraints: readonly resource.DeviceConstraint[] = [], expressions: () => DeviceExpressionChecks) {
    this.expressions = expressions;
    for (const { matchAttribute, distinctAttribute, requests = [] } of constraints) {
      const attribute = matchAttribute ?? distinctAttribute;
      if (attribute === undefined) continue;
      for (const request of requests.length === 0 ? [''] : requests) {
        const known = this.#constrained.get(request) ?? new Set();
        this.#constrained.set(request, known.add(attribute));
      }
    }
  }

  /** Errors of the attributes of one request; `reference` is its name in constraints. */
  *errors(attributes: readonly resource.DeviceDerivedAttribute[], path: string, reference: string): Errors {
    for (const [index, { name = '', expression = '' }] of attributes.entries()) {
      const at = keyPath(path, index);
      if (name !== '' && !this.#isConstrained(name, reference)) {
        yield invalidField(childPath(at, 'name'), name, notConstrained);
      }
      if (expression === '') continue;
      const cost = yield* this.expressions().derived(expression, childPath(at, 'expression'));
      this.#totalCost = BigInt.asUintN(64, this.#totalCost + cost);
    }
    const nameOf = ({ name = '' }: resource.DeviceDerivedAttribute): string => name;
    yield* distinct(attributes, path, nameOf, nameOf);
    yield* declared(attributes, path);
  }

  /** Errors of the cost of all expressions of the claim together. */
  *costErrors(path: string): Errors {
    const detail = 'too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit';
    if (this.#totalCost > maxTotalCost) yield forbiddenField(path, detail);
  }

  #isConstrained(name: string, reference: string): boolean {
    const [request = ''] = reference.split('/');
    return ['', request, reference].some((target) => this.#constrained.get(target)?.has(name) === true);
  }
}

function* declared(attributes: readonly resource.DeviceDerivedAttribute[], path: string): Errors {
  if (attributes.length > maxAttributes) return yield* late([tooManyField(path, attributes.length, maxAttributes)]);
  for (const [index, { name = '', expression = '' }] of attributes.entries()) {
    const at = keyPath(path, index);
    if (name === '') yield* late([requiredField(childPath(at, 'name'))]);
    else yield* declaredQualifiedName(name, childPath(at, 'name'));
    if (expression === '') yield* late([requiredField(childPath(at, 'expression'))]);
  }
}
