import type { AdmissionAttributes } from '../../../api/contracts/admission.ts';
import type { Metric } from '../../../api/metrics/metric.ts';
import type { PartContext } from '../../../api/contracts/part.ts';
import type { LevelVersion, Mode } from './policy.ts';

const requestLabels = ['request_operation', 'resource', 'subresource'];
const evaluationLabels = ['decision', 'policy_level', 'policy_version', 'mode', ...requestLabels];

/** Metrics of evaluated writes, with the reference's labels. */
export class PodSecurityMetrics {
  readonly #evaluations: Metric;
  readonly #exemptions: Metric;
  readonly #errors: Metric;
  readonly #newest: number;

  /** `newest` is the minor release of the server. */
  constructor({ metric }: Pick<PartContext, 'metric'>, newest: number) {
    const counter = (name: string, help: string, labelNames: readonly string[]): Metric =>
      metric({ name: `pod_security_${name}`, type: 'counter', help, labelNames });
    this.#newest = newest;
    this.#evaluations = counter('evaluations_total', 'Policy evaluations.', evaluationLabels);
    this.#exemptions = counter('exemptions_total', 'Exempt requests.', requestLabels);
    this.#errors = counter('errors_total', 'Errors that prevented an evaluation.', ['fatal', ...requestLabels]);
    this.#showUsual();
  }

  /** `isDenied`: the level is violated. */
  evaluated(attributes: AdmissionAttributes, mode: Mode, level: LevelVersion, isDenied: boolean): void {
    this.#evaluations.add({ ...this.#levelLabels(level, mode, isDenied), ...labelsOf(attributes) });
  }

  exempted(attributes: AdmissionAttributes): void {
    this.#exemptions.add(labelsOf(attributes));
  }

  /** The labels of the namespace are invalid; levels take their place, so it is not fatal. */
  mislabelled(attributes: AdmissionAttributes): void {
    this.#errors.add({ fatal: 'false', ...labelsOf(attributes) });
  }

  #levelLabels({ level, version }: LevelVersion, mode: Mode, isDenied: boolean) {
    const isLatest = version === 'latest' || level === 'privileged';
    const pinned = !isLatest && version > this.#newest ? 'future' : `v1.${version}`;
    return {
      decision: isDenied ? 'deny' : 'allow',
      policy_level: level,
      policy_version: isLatest ? 'latest' : pinned,
      mode,
    };
  }

  /** Series that exist before anything is counted. */
  #showUsual(): void {
    const allowed = this.#levelLabels({ level: 'privileged', version: 'latest' }, 'enforce', false);
    for (const request_operation of ['create', 'update']) {
      this.#evaluations.set(0, { ...allowed, request_operation, resource: 'pod', subresource: '' });
      for (const resource of ['pod', 'controller']) {
        this.#exemptions.set(0, { request_operation, resource, subresource: '' });
      }
    }
  }
}

const resourceNames: ReadonlyMap<string, string> = new Map([
  ['/pods', 'pod'],
  ['/namespaces', 'namespace'],
]);

function labelsOf({ group, resource, subresource, operation }: AdmissionAttributes) {
  return {
    request_operation: operation.toLowerCase(),
    resource: resourceNames.get(`${group}/${resource}`) ?? 'controller',
    subresource,
  };
}
