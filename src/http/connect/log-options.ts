import { invalidField, forbiddenField, notSupportedField, type FieldError } from '../../api/errors/field-error.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { badRequest, invalid } from '../../api/errors/status-errors.ts';
import { canonicalTimeText, parseTime } from '../../api/time/time.ts';
import { connectOptions } from './connect-options.ts';

/** PodLogOptions. */
export interface LogOptions {
  readonly container?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  readonly insecureSkipTLSVerifyBackend?: boolean;
  readonly stream?: string;
}

const allStreams = 'All';
const streams = [allStreams, 'Stderr', 'Stdout'];

/** Reads and checks the options of a request for logs. Throws a 400 or a 422. */
export function logOptions(query: URLSearchParams, pod: string, choosesStream: boolean): LogOptions {
  const kind = { group: '', version: 'v1', kind: 'PodLogOptions' };
  const { sinceTime, ...given } = connectOptions(query, kind) as KubernetesObject & LogOptions;
  // Behind its gate the field has a default, otherwise it stays unknown.
  const stream = choosesStream ? { stream: given.stream ?? allStreams } : {};
  const options = { ...given, ...timeOf(sinceTime), ...stream };
  const errors = problems(options, choosesStream);
  if (errors.length > 0) throw invalid({ group: '', kind: kind.kind }, pod, errors);
  return options;
}

/** `null` is what old clients send for no time. */
function timeOf(text: string | undefined): { readonly sinceTime?: string } {
  if (text === undefined) return {};
  if (text === '' || text === 'null') return { sinceTime: '0001-01-01T00:00:00Z' };
  try {
    parseTime(text);
  } catch (error) {
    throw badRequest((error as Error).message);
  }
  return { sinceTime: canonicalTimeText(text) };
}

function problems(options: LogOptions, choosesStream: boolean): FieldError[] {
  const { tailLines, limitBytes, sinceSeconds, sinceTime, stream } = options;
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalidField('tailLines', tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalidField('limitBytes', limitBytes, 'must be greater than 0'));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push(forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalidField('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  }
  if (choosesStream) return [...errors, ...streamProblems(stream, tailLines)];
  return stream === undefined ? errors : [...errors, forbiddenField('stream', 'may not be specified')];
}

function streamProblems(stream = '', tailLines: number | undefined): FieldError[] {
  const errors: FieldError[] = [];
  if (!streams.includes(stream)) errors.push(notSupportedField('stream', stream, streams));
  if (stream !== allStreams && tailLines !== undefined) {
    errors.push(forbiddenField('[]', '`tailLines` and specific `stream` are mutually exclusive for now'));
  }
  return errors;
}

/** The query for the kubelet, in the order of Go. */
export function logQuery(options: LogOptions): string {
  const { follow, limitBytes, previous, sinceSeconds, sinceTime, stream, tailLines, timestamps } = options;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({
    follow,
    limitBytes,
    previous,
    sinceSeconds,
    sinceTime,
    stream,
    tailLines,
    timestamps,
  })) {
    if (value !== undefined && value !== false) query.set(name, String(value));
  }
  return query.toString();
}
