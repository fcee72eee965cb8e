import type { GroupResource } from '../api/meta/group-version.ts';
import { Metric, type MetricDefinition } from '../api/metrics/metric.ts';
import { perKey } from '../api/collections/per-key.ts';
import type { CountedAs } from '../http/request/counted-as.ts';
import type { Outcome, RequestContext } from '../http/request/request-context.ts';
import {
  bodyVerb,
  cleanDryRun,
  cleanFieldValidation,
  cleanVerb,
  isSized,
  labelsOf,
  type RequestLabels,
  scopeOfName,
  scopeOfRoute,
} from './request-labels.ts';

const targetNames = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'] as const;
const longBuckets = [0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const serviceBuckets = [0.05, 0.1, 0.2, 0.4, ...longBuckets];

const totals: MetricDefinition = {
  name: 'apiserver_request_total',
  help: '[STABLE] Requests by verb, resource and response code.',
  type: 'counter',
  labelNames: [...targetNames, 'dry_run', 'code'],
};

const durations: MetricDefinition = {
  name: 'apiserver_request_duration_seconds',
  help: '[STABLE] Time from the arrival of a request to the end of its response, in seconds.',
  type: 'histogram',
  labelNames: [...targetNames, 'dry_run'],
  buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, ...longBuckets],
};

const serviceDurations: MetricDefinition = {
  name: 'apiserver_request_sli_duration_seconds',
  help: '[ALPHA] Like apiserver_request_duration_seconds, without dry runs and the time that webhooks take, in seconds.',
  type: 'histogram',
  labelNames: targetNames,
  buckets: serviceBuckets,
};

const responseSizes: MetricDefinition = {
  name: 'apiserver_response_sizes',
  help: '[STABLE] Sizes of the responses to reads, in bytes.',
  type: 'histogram',
  labelNames: targetNames,
  buckets: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9],
};

const bodySizes: MetricDefinition = {
  name: 'apiserver_request_body_size_bytes',
  help: '[ALPHA] Sizes of the bodies of writes, in bytes.',
  type: 'histogram',
  labelNames: ['group', 'resource', 'verb'],
  buckets: Array.from({ length: 31 }, (_, index) => 50_000 + 100_000 * index),
};

const terminations: MetricDefinition = {
  name: 'apiserver_request_terminations_total',
  help: '[ALPHA] Requests that were refused because there were too many.',
  type: 'counter',
  labelNames: [...targetNames, 'code'],
};

const validated: MetricDefinition = {
  name: 'field_validation_request_duration_seconds',
  help: '[ALPHA] Values of fieldValidation that have been requested; like in kube-apiserver, nothing is observed.',
  type: 'histogram',
  labelNames: ['field_validation'],
  buckets: serviceBuckets,
};

const maxRefusedPaths = 100;

/** What is counted of requests with the same labels. */
interface Series {
  readonly ended: (code: number) => void;
  readonly took: (seconds: number) => void;
  /** Undefined: of dry runs and watches. */
  readonly served: ((seconds: number) => void) | undefined;
  readonly responded: (bytes: number) => void;
  readonly received: (verb: string) => (bytes: number) => void;
}

type SeriesByLabels = (subresource: string) => (verb: string) => (scope: string) => (dryRun: string) => Series;

/** Metrics of completed requests. */
export class RequestCounters {
  readonly #totals = new Metric(totals);
  readonly #durations = new Metric(durations);
  readonly #serviceDurations = new Metric(serviceDurations);
  readonly #responseSizes = new Metric(responseSizes);
  readonly #bodySizes = new Metric(bodySizes);
  readonly #terminations = new Metric(terminations);
  readonly #validated = new Metric(validated);
  /** Finds series without making labels for every request. */
  readonly #byTarget = new WeakMap<CountedAs, SeriesByLabels>();
  readonly #validations = new Set<string>();
  readonly #refusedPaths = new Set<string>();

  get all(): readonly Metric[] {
    const sizes = [this.#responseSizes, this.#bodySizes, this.#terminations];
    return [this.#totals, this.#durations, this.#serviceDurations, ...sizes, this.#validated];
  }

  /** Counts a completed request. */
  count(context: RequestContext, target: CountedAs, { code, durationMs }: Outcome): void {
    const isUnstructured = 'isUnstructured' in target && target.isUnstructured;
    // The reference's routes refuse unknown patches of built-in kinds before their handlers.
    if (code === 415 && context.info.verb === 'patch' && !isUnstructured) return;
    const series = this.#seriesOf(context, target, isUnstructured);
    const seconds = durationMs / 1000;
    series.ended(code);
    series.took(seconds);
    series.served?.(Math.max(0, seconds - context.webhooksMs / 1000));
    if (isSized(context.info, isUnstructured)) series.responded(context.exchange.sentBytes);
    if (context.bodyBytes !== undefined) {
      const verb = bodyVerb(context.verb);
      if (verb !== undefined) series.received(verb)(context.bodyBytes);
    }
    this.#note(cleanFieldValidation(context));
  }

  /** Counts a request that was refused before anything was done for it. */
  countRefused(info: RequestContext['info'], context: RequestContext): void {
    const { group, version, resource, subresource } = info;
    const names = { group, version, resource, subresource, component: 'apiserver', code: '429' };
    const labels = { ...names, verb: cleanVerb(context), scope: scopeOfName(info) };
    this.#totals.add({ ...labels, dry_run: cleanDryRun(context) });
    this.#terminations.add(info.isResourceRequest ? labels : { ...labels, subresource: this.#pathOf(context) });
  }

  /** The resource has been gone for long. */
  forget({ group, resource }: GroupResource): void {
    for (const metric of this.all) metric.forget({ group, resource });
  }

  /** Clients choose paths, but not how many are told apart. */
  #pathOf({ exchange: { path } }: RequestContext): string {
    if (!this.#refusedPaths.has(path) && this.#refusedPaths.size >= maxRefusedPaths) return '';
    this.#refusedPaths.add(path);
    return path;
  }

  #note(field_validation: string): void {
    if (this.#validations.has(field_validation)) return;
    this.#validations.add(field_validation);
    this.#validated.start({ field_validation });
  }

  #seriesOf(context: RequestContext, target: CountedAs, isUnstructured: boolean): Series {
    let byLabels = this.#byTarget.get(target);
    if (byLabels === undefined) {
      byLabels = this.#seriesOfTarget(target);
      this.#byTarget.set(target, byLabels);
    }
    const { info } = context;
    const scope = isUnstructured ? scopeOfName(info) : scopeOfRoute(info);
    const bySubresource = byLabels(info.isResourceRequest ? info.subresource : '');
    return bySubresource(cleanVerb(context, isUnstructured))(scope)(cleanDryRun(context));
  }

  #seriesOfTarget(target: CountedAs): SeriesByLabels {
    return perKey((subresource) =>
      perKey((verb) =>
        perKey((scope) => perKey((dry_run) => this.#series(labelsOf(target, { subresource, verb, scope, dry_run })))),
      ),
    );
  }

  #series({ dry_run, ...labels }: RequestLabels): Series {
    const { group, resource } = labels;
    const all = { ...labels, dry_run };
    const ended = perKey((code: number) => this.#totals.counter({ ...all, code: String(code) }));
    return {
      ended: (code) => ended(code)(),
      took: this.#durations.observer(all),
      served: dry_run === '' && labels.verb !== 'WATCH' ? this.#serviceDurations.observer(labels) : undefined,
      responded: this.#responseSizes.observer(labels),
      received: perKey((verb) => this.#bodySizes.observer({ group, resource, verb })),
    };
  }
}
