import { StatusError } from '../../api/errors/status.ts';
import { badRequest, internalError, LateRequestError, notAcceptable } from '../../api/errors/status-errors.ts';
import { statusOfStorageError } from '../../registry/stored/storage-errors.ts';
import type { Exchange } from '../transport/exchange.ts';
import { indentedJson, type OutputFormat } from '../negotiation/output-format.ts';
import { negotiatePlain } from '../negotiation/offers.ts';
import { type Pipeline, runPipeline } from './pipeline.ts';
import { beginRequest } from '../request/begin-requests.ts';
import { PlainFailure } from '../responses/plain-failure.ts';
import { RequestContext, type RequestServices, type Stage } from '../request/request-context.ts';
import { respondStatus, respondText, respondUntyped } from '../responses/respond.ts';

/** Dependencies of the request handler. */
export interface RequestHandlerOptions {
  /** In execution order; the last one responds. */
  readonly stages: readonly Stage[];
  readonly services: RequestServices;
  /** Runs the pipeline where traces know it; absent: nothing is traced. */
  readonly inTrace?: ((run: () => Promise<void>) => Promise<void>) | undefined;
  /** Called for failures that are not a Status: a bug, or the machine in trouble. */
  onUnexpectedError(context: RequestContext, error: unknown): void;
}

/** Handles exchanges; each gets exactly one response. Never throws. */
export function requestHandler(options: RequestHandlerOptions): (exchange: Exchange) => void {
  const pipeline: Pipeline = {
    stages: options.stages,
    onError: (context, error) => answerError(context, error, options),
    onNoticeError: (context, error) => options.onUnexpectedError(context, error),
  };
  const { inTrace } = options;
  return (exchange) => {
    const context = new RequestContext(exchange, options.services);
    beginRequest(exchange.connection, async () => {
      // The client may have given up before its request begins; the reference does not begin that either.
      if (!exchange.closed) {
        // A failure while responding with a failure: drop this client's connection, nothing else.
        const ended =
          inTrace === undefined ? runPipeline(pipeline, context) : inTrace(() => runPipeline(pipeline, context));
        await ended.catch((error: unknown) => {
          options.onUnexpectedError(context, error);
          exchange.abort();
        });
      }
      if (!context.isPassedOn) exchange.release?.();
    });
  };
}

/** Turns failures into responses; nothing else does. */
async function answerError(context: RequestContext, failure: unknown, options: RequestHandlerOptions): Promise<void> {
  const { exchange } = context;
  if (exchange.closed) return;
  if (failure instanceof PlainFailure) {
    const { headers, isBare } = failure;
    respondText(context, failure.code, `${failure.message}\n`, { headers, isBare });
    return;
  }
  const error = isTooDeep(failure) ? badRequest('the request is nested too deeply') : storageFailure(context, failure);
  const known = error instanceof StatusError;
  if (!known || isOurs(error)) options.onUnexpectedError(context, known ? (error.cause ?? error) : error);
  if (exchange.started) {
    // A partial response cannot be taken back: abort, so that the client sees it was cut off.
    exchange.abort();
    return;
  }
  if (error instanceof LateRequestError) {
    respondUntyped(context, error.status);
    return;
  }
  const { status } = known ? error : internalError('see the server log');
  await respondStatus(context, status, errorFormat(context));
}

/** What is read and written by recursion ends where the stack does, well below the 10,000 levels that JSON may have. */
function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded';
}

/**
 * The registry has reported most of them with details of the object; requests of admission or controllers to the store
 * are reported here.
 */
function storageFailure(context: RequestContext, error: unknown): unknown {
  if (!context.hasInfo) return error;
  const { group, resource, verb } = context.info;
  return statusOfStorageError(error, { group, resource }, verb);
}

/** A cause points to a fault of the server or its store; other errors are the client's. */
function isOurs({ status, cause }: StatusError): boolean {
  return status.code >= 500 && (cause !== undefined || status.reason === 'InternalError');
}

/** Errors use the requested media type if possible, else JSON. */
function errorFormat(context: RequestContext): OutputFormat {
  try {
    // A Status has no other forms.
    return negotiatePlain(context, context.errorOffer);
  } catch (error) {
    if (error instanceof StatusError && error.status.reason === notAcceptable([]).status.reason) return indentedJson;
    throw error;
  }
}
