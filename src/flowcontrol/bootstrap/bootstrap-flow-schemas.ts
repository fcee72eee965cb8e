import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import { type FlowConfiguration, flowConfiguration } from './flow-configuration.ts';

const everyResource: ResourcePolicyRule = {
  verbs: ['*'],
  apiGroups: ['*'],
  resources: ['*'],
  clusterScope: true,
  namespaces: ['*'],
};

const everyPath: NonResourcePolicyRule = { verbs: ['*'], nonResourceURLs: ['*'] };

const everything = { resourceRules: [everyResource], nonResourceRules: [everyPath] };

const groups = (...names: string[]): Subject[] => names.map((name) => ({ kind: 'Group', group: { name } }));
const users = (...names: string[]): Subject[] => names.map((name) => ({ kind: 'User', user: { name } }));
const accountsOf = (namespace: string): Subject => ({
  kind: 'ServiceAccount',
  serviceAccount: { namespace, name: '*' },
});

const everybody = groups('system:unauthenticated', 'system:authenticated');

interface SchemaRow {
  readonly name: string;
  readonly level: string;
  readonly precedence: number;
  readonly method?: 'ByUser' | 'ByNamespace';
  readonly rule: PolicyRulesWithSubjects;
  readonly isMandatory?: boolean;
}

/** In the order in which the reference creates them, which shows in their ages. */
const rows: readonly SchemaRow[] = [
  {
    name: 'system-nodes',
    level: 'system',
    precedence: 500,
    method: 'ByUser',
    rule: {
      subjects: groups('system:nodes'),
      ...everything,
    },
  },
  {
    name: 'system-node-high',
    level: 'node-high',
    precedence: 400,
    method: 'ByUser',
    rule: {
      subjects: groups('system:nodes'),
      resourceRules: [
        {
          ...everyResource,
          apiGroups: [''],
          resources: ['nodes', 'nodes/status'],
        },
        {
          verbs: ['*'],
          apiGroups: ['coordination.k8s.io'],
          resources: ['leases'],
          namespaces: ['*'],
        },
      ],
    },
  },
  {
    name: 'probes',
    level: 'exempt',
    precedence: 2,
    rule: {
      subjects: everybody,
      nonResourceRules: [
        {
          verbs: ['get'],
          nonResourceURLs: ['/healthz', '/readyz', '/livez'],
        },
      ],
    },
  },
  {
    name: 'system-leader-election',
    level: 'leader-election',
    precedence: 100,
    method: 'ByUser',
    rule: {
      subjects: [...users('system:kube-controller-manager', 'system:kube-scheduler'), accountsOf('kube-system')],
      resourceRules: [
        {
          verbs: ['get', 'create', 'update'],
          apiGroups: ['coordination.k8s.io'],
          resources: ['leases'],
          namespaces: ['*'],
        },
      ],
    },
  },
  {
    name: 'kube-controller-manager',
    level: 'workload-high',
    precedence: 800,
    method: 'ByNamespace',
    rule: {
      subjects: users('system:kube-controller-manager'),
      ...everything,
    },
  },
  {
    name: 'kube-scheduler',
    level: 'workload-high',
    precedence: 800,
    method: 'ByNamespace',
    rule: {
      subjects: users('system:kube-scheduler'),
      ...everything,
    },
  },
  {
    name: 'kube-system-service-accounts',
    level: 'workload-high',
    precedence: 900,
    method: 'ByNamespace',
    rule: {
      subjects: [accountsOf('kube-system')],
      ...everything,
    },
  },
  {
    name: 'service-accounts',
    level: 'workload-low',
    precedence: 9e3,
    method: 'ByUser',
    rule: {
      subjects: groups('system:serviceaccounts'),
      ...everything,
    },
  },
  {
    name: 'global-default',
    level: 'global-default',
    precedence: 9900,
    method: 'ByUser',
    rule: {
      subjects: everybody,
      ...everything,
    },
  },
  {
    name: 'exempt',
    level: 'exempt',
    precedence: 1,
    isMandatory: true,
    rule: {
      subjects: groups('system:masters'),
      ...everything,
    },
  },
  {
    name: 'catch-all',
    level: 'catch-all',
    precedence: 1e4,
    method: 'ByUser',
    isMandatory: true,
    rule: {
      subjects: everybody,
      ...everything,
    },
  },
];

export const bootstrapFlowSchemas: readonly FlowConfiguration[] = rows.map(
  ({ name, level, precedence, method, rule, isMandatory = false }) =>
    flowConfiguration({
      kind: 'FlowSchema',
      name,
      isMandatory,
      spec: {
        priorityLevelConfiguration: { name: level },
        matchingPrecedence: precedence,
        ...(method === undefined ? {} : { distinguisherMethod: { type: method } }),
        rules: [rule],
      },
    }),
);
