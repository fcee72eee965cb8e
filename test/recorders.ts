/** A program that records what the reference does, for tests that replay it. */
export interface Recorder {
  /** From the root of the checkout. */
  readonly program: string;
  /** Arguments before those that are given. */
  readonly args?: readonly string[];
  /** What it records. */
  readonly records: string;
  /**
   * Flags of the fresh kube-apiserver that is started for it, whose URL and administrator's kubeconfig are its first
   * arguments. Without, it starts what it needs itself.
   */
  readonly referenceFlags?: readonly string[];
  /** Arguments that it requires, or accepts in brackets. */
  readonly takes?: string;
}

const withoutQuota = '--disable-admission-plugins=ResourceQuota';

/** The recorders that `node test/record.ts SUBJECT` runs. */
export const recorders: Readonly<Record<string, Recorder>> = {
  admission: { program: 'test/recorded/admission/record.ts', records: 'admission plugins', takes: '[SUITE ...]' },
  aggregation: { program: 'test/recorded/aggregation/record.ts', records: 'the life of an APIService' },
  apply: {
    program: 'test/recorded/apply/record.ts',
    records: 'random sequences of applies, updates and patches',
    referenceFlags: [withoutQuota],
    takes: '[SEQUENCES]',
  },
  audit: { program: 'test/recorded/audit/record.ts', records: 'audit events' },
  authorization: { program: 'test/recorded/authorization/record.ts', records: 'access reviews' },
  bodies: {
    program: 'test/recorded/bodies/record.ts',
    records: 'bodies of requests',
    referenceFlags: [],
    takes: '[FILE ...]',
  },
  cel: {
    program: 'test/recorded/cel/record.ts',
    records: 'expressions; its head says how to build ORACLE',
    takes: 'ORACLE --record',
  },
  certificates: {
    program: 'test/recorded/certificates/record.ts',
    records: 'mutated certificates; its head says how to build ORACLE',
    takes: 'ORACLE --record',
  },
  clients: { program: 'test/recorded/clients/record.ts', records: 'scripts of clients', takes: '[NAME ...]' },
  controllers: {
    program: 'test/recorded/controllers/record.ts',
    records: 'scripts of kube-controller-manager',
    takes: '[SCRIPT ...]',
  },
  'conversion-answers': {
    program: 'test/recorded/definitions/record-conversion-answers.ts',
    records: 'unusual answers of conversion webhooks',
    referenceFlags: [],
  },
  'conversion-outage': {
    program: 'test/recorded/definitions/record-outage.ts',
    records: 'the failure of a conversion webhook',
    referenceFlags: [],
  },
  'custom-apply': {
    program: 'test/recorded/apply/custom/record.ts',
    records: 'random applies, merge patches and replacements of custom objects',
    referenceFlags: [],
    takes: '[SEQUENCES]',
  },
  defaults: {
    program: 'test/recorded/defaults/record.ts',
    records: 'random objects of every kind',
    referenceFlags: ['--allow-privileged', withoutQuota],
    takes: '[SEED]',
  },
  definitions: {
    program: 'test/recorded/definitions/record.ts',
    records: 'converted objects',
    referenceFlags: [],
    takes: '[PLAY ...]',
  },
  'definitions-recreated': {
    program: 'test/recorded/definitions/record-recreated.ts',
    records: 'definitions that are deleted and created again',
    referenceFlags: [],
  },
  differential: {
    program: 'test/recorded/differential/record.ts',
    records: 'scenarios over many kinds',
    referenceFlags: [withoutQuota],
    takes: '[SCENARIO ...]',
  },
  discovery: {
    program: 'test/recorded/discovery/record.ts',
    records: 'discovery documents, through kubectl proxy',
    takes: 'URL CONFIGURATION',
  },
  durations: { program: 'test/durations/record.ts', records: 'how long test files took when they last ran' },
  egress: { program: 'test/recorded/egress/record.ts', records: 'failing proxies' },
  encryption: { program: 'test/recorded/encryption/record.ts', records: 'refused configurations of encryption' },
  'event-lifetimes': { program: 'test/recorded/requests/record-lifetimes.ts', records: 'the end of events' },
  'flow-control': {
    program: 'test/recorded/flow-control/record.ts',
    records: 'classification and refusals of requests',
  },
  'garbage-collection': {
    program: 'test/recorded/garbage-collection/record.ts',
    records: 'what kube-controller-manager leaves of graphs of owners',
  },
  gates: { program: 'test/recorded/gates/record.ts', records: 'the effects of feature gates' },
  hostile: {
    program: 'test/recorded/hostile/record.ts',
    records: 'unusual values in every field',
    referenceFlags: ['--runtime-config=api/all=true', withoutQuota],
  },
  methods: { program: 'test/recorded/methods/record.ts', records: 'every method on every form of path' },
  matrix: {
    program: 'test/recorded/differential/matrix/record.ts',
    records: 'every verb on every kind',
    referenceFlags: [withoutQuota],
  },
  metrics: { program: 'test/recorded/metrics/record.ts', records: 'metrics' },
  mismatches: {
    program: 'test/recorded/definitions/record-mismatches.ts',
    records: 'owners of values that no longer fit',
    referenceFlags: [],
  },
  negotiation: { program: 'test/recorded/negotiation/record.ts', records: 'negotiated forms', referenceFlags: [] },
  observation: { program: 'test/recorded/observation/record.ts', records: 'lines of the log' },
  openapi: {
    program: 'test/recorded/openapi/record.ts',
    records: 'OpenAPI documents, through kubectl proxy',
    takes: 'URL CONFIGURATION',
  },
  policies: { program: 'test/recorded/policies/record.ts', records: 'admission policies', takes: '[SUITE ...]' },
  'policy-types': { program: 'test/recorded/policies/record-type-checks.ts', records: 'type checks of policies' },
  'policy-versions': {
    program: 'test/recorded/policies/record-versions.ts',
    records: 'policies over several versions',
  },
  patches: {
    program: 'tools/compare-patches/main.ts',
    records: 'random patches; its head says how to build ORACLE',
    takes: 'ORACLE SEED COUNT --record',
  },
  'random-admission': {
    program: 'tools/fuzz-admission/main.ts',
    args: ['--record'],
    records: 'random requests under several sets of plugins',
    takes: '[CONFIGURATION ...]',
  },
  'random-deeds': {
    program: 'tools/fuzz-controllers/main.ts',
    args: ['--server', 'reference'],
    records: 'what kube-controller-manager makes of random deeds',
    takes: '[SUBJECT ...]',
  },
  'random-definitions': {
    program: 'tools/fuzz-definitions/main.ts',
    args: ['--record'],
    records: 'random definitions and instances',
    referenceFlags: [],
  },
  'random-expressions': {
    program: 'tools/fuzz-cel/main.ts',
    args: ['--record'],
    records: 'random expressions, with the oracle of `cel`',
    takes: 'ORACLE',
  },
  'random-versions': {
    program: 'tools/compare-versions/main.ts',
    args: ['--record'],
    records: 'random requests through the versions of random definitions',
    referenceFlags: [],
  },
  requests: {
    program: 'tools/compare-requests/main.ts',
    args: ['--record'],
    records: 'scripts in the manner of public bug reports',
    takes: '[SCRIPT ...]',
  },
  rules: {
    program: 'test/recorded/rules/record.ts',
    records: 'definitions with rules, and matching values',
    takes: 'STATE_DIR PORT [INPUT ...]',
  },
  shutdown: { program: 'test/recorded/shutdown/record.ts', records: 'what clients see of a stop' },
  streams: { program: 'test/recorded/streams/record.ts', records: 'connections to kubelets' },
  tables: {
    program: 'test/recorded/tables/record.ts',
    records: 'Tables, of a server with all versions and gates',
    takes: 'KUBECONFIG',
  },
  tracing: { program: 'test/recorded/tracing/record.ts', records: 'spans' },
  validation: {
    program: 'test/recorded/validation/record.ts',
    records: 'invalid objects',
    takes: 'STATE_DIR PORT [SET ...]',
  },
  webhooks: { program: 'test/recorded/webhooks/record.ts', records: 'admission webhooks', takes: '[SUITE ...]' },
};
