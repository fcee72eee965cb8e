import { configMap, places } from '../objects.ts';
import type { Step } from '../script.ts';
import { post } from '../steps.ts';

const admission = '/apis/admissionregistration.k8s.io/v1';
const policies = `${admission}/validatingadmissionpolicies`;
const bindings = `${admission}/validatingadmissionpolicybindings`;

/** A policy for config maps, which have its name as the label `only`. */
export function policySteps(prefix: string, name: string, spec: object): readonly Step[] {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };
  const matchConstraints = { resourceRules: [rule], objectSelector: { matchLabels: { only: name } } };
  const head = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name } };
  return [
    post(`${prefix}: policy`, policies, {
      ...head,
      kind: 'ValidatingAdmissionPolicy',
      spec: { matchConstraints, failurePolicy: 'Fail', ...spec },
    }),
    post(`${prefix}: binding`, bindings, {
      ...head,
      kind: 'ValidatingAdmissionPolicyBinding',
      spec: { policyName: name, validationActions: ['Deny'] },
    }),
  ];
}

/** Policies that tell the value of an expression each, or why there is none; then what they say. */
export function evaluationSteps(space: string, expressions: readonly string[], group: string): readonly Step[] {
  const named = expressions.map((expression, index) => ({ expression, name: `${space}-${group}-${String(index)}` }));
  return [
    ...named.flatMap(({ expression, name }) => {
      const expected = { expression: `dyn(${expression}) == dyn(optional.none())` };
      const validations = [{ ...expected, messageExpression: `"%s".format([${expression}])` }];
      return policySteps(`${group} ${expression}`, name, { validations });
    }),
    post(`${group}: the last`, places.configMaps(space), configMap(`last-${group}`), { settles: 'slowly' }),
    ...named.map(({ expression, name }, index) =>
      post(
        `${group} ${expression}: told`,
        `${places.configMaps(space)}?dryRun=All`,
        configMap(`${group}-${String(index)}`, { a: '1' }, { labels: { only: name } }),
      ),
    ),
  ];
}
