import { isReason } from '../../api/errors/status.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { prepareExpressions } from '../../cel/environments/kubernetes.ts';
import type {
  ExpressionWarning,
  ValidatingAdmissionPolicy,
} from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { typeWarnings } from './type-check.ts';

type StoredPolicy = KubernetesObject & ValidatingAdmissionPolicy;

const policies = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingadmissionpolicies',
  namespace: '',
};
const manager = 'validatingadmissionpolicy-status';

/** Reports expressions that do not type-check for the matched kinds in the status of policies. */
export function policyStatusController(context: ControllerContext): AsyncDisposable {
  const loop = new ControlLoop(context, tell, { queue: 'validatingadmissionpolicy-status' });
  const known = loop.follow(policies, {
    keep: (policy) => policy as StoredPolicy, // decoded by its schema
    changed: ({ now, key }) => {
      if (now !== undefined && isDue(now)) loop.queue.add(key);
    },
  });
  return loop;

  async function tell(key: string): Promise<void> {
    const policy = known.get('', key.slice(1));
    if (policy === undefined || !isDue(policy)) return;
    await prepareExpressions();
    const warnings = typeWarnings(policy.spec ?? {}, context.kinds);
    try {
      await apply(policy, warnings);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  async function apply({ metadata }: StoredPolicy, warnings: readonly ExpressionWarning[]): Promise<void> {
    const name = metadata.name ?? '';
    const typeChecking = warnings.length === 0 ? {} : { expressionWarnings: warnings.map((each) => ({ ...each })) };
    const configuration = {
      kind: 'ValidatingAdmissionPolicy',
      apiVersion: 'admissionregistration.k8s.io/v1',
      metadata: { name },
      status: {
        observedGeneration: metadata.generation ?? 0,
        typeChecking,
      },
    };
    await context.client.apply({ ...policies, name }, configuration, { manager, subresource: 'status' });
  }
}

function isDue({ metadata, status }: StoredPolicy): boolean {
  return BigInt(metadata.generation ?? 0) > BigInt(status?.observedGeneration ?? 0);
}
