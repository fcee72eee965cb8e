import { goQuote } from '../../api/go/go-quote.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { stringValue } from '../../api/json/json-parts.ts';
import { internalError } from '../../api/errors/status-errors.ts';
import { statusObject } from '../../api/errors/status.ts';

/** A Status without its kind, as sent on streams. */
export interface StreamOutcome {
  /** For metrics: a command that fails has been run all the same. */
  readonly code: number;
  readonly status: JsonObject;
}

const success: StreamOutcome = { code: 200, status: { metadata: {}, status: 'Success' } };

/** The outcome for the client, from the kubelet's error stream: empty, a Status or, in old versions, any text. */
export function outcomeOf(protocol: string, output: string): StreamOutcome {
  if (output === '') return success;
  if (!['v5.channel.k8s.io', 'v4.channel.k8s.io'].includes(protocol)) {
    return failure(`error executing remote command: ${output}`);
  }
  const status = readStatus(output);
  if (typeof status === 'string') return failure(`error stream protocol error: ${status} in ${goQuote(output)}`);
  if (status['status'] === 'Success') return success;
  if (status['status'] !== 'Failure') return failure('error stream protocol error: unknown error');
  return status['reason'] === 'NonZeroExitCode' ? exited(status) : failure(stringValue(status['message']));
}

/** The outcome for a failure of this server or of the kubelet. */
export function failure(message: string): StreamOutcome {
  const { kind: _, apiVersion: __, ...status } = statusObject(internalError(message).status) as JsonObject;
  return { code: 500, status };
}

function readStatus(text: string): JsonObject | string {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : 'not an object';
  } catch (error) {
    return (error as Error).message;
  }
}

function exited({ details }: JsonObject): StreamOutcome {
  if (!isJsonObject(details ?? null)) return failure('error stream protocol error: details must be set');
  const { causes } = details as JsonObject;
  const cause = Array.isArray(causes)
    ? causes.find((each) => isJsonObject(each) && each['reason'] === 'ExitCode')
    : undefined;
  if (cause === undefined) return failure('error stream protocol error: no ExitCode cause given');
  // Found as an object.
  const code = stringValue((cause as JsonObject)['message']);
  if (!/^\d{1,3}$/.test(code) || Number(code) > 255) {
    return failure(`error stream protocol error: invalid exit code value ${goQuote(code)}`);
  }
  return {
    code: 200,
    status: {
      metadata: {},
      status: 'Failure',
      message: `command terminated with non-zero exit code: command terminated with exit code ${Number(code)}`,
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: String(Number(code)) }] },
    },
  };
}
