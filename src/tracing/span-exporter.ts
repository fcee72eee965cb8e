import { Client, credentials } from '@grpc/grpc-js';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { systemClock } from '../api/time/clock.ts';

const method = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const timeoutMs = 10_000;

type Done = Parameters<SpanExporter['export']>[1];

/**
 * Sends spans to a collector by OTLP over gRPC, without TLS. OpenTelemetry's own exporter loads gRPC by itself at run
 * time, and so could be no part of a bundle.
 */
export class CollectorExporter implements SpanExporter {
  readonly #client: Client;
  /** Exports that the collector has not answered. */
  readonly #pending = new Set<Promise<void>>();

  /** `target`: as gRPC names it. */
  constructor(target: string) {
    this.#client = new Client(target, credentials.createInsecure());
  }

  export(spans: ReadableSpan[], done: Done): void {
    const exported = this.#send(spans).then(
      () => done({ code: 0 }),
      (error: Error) => done({ code: 1, error }),
    );
    this.#pending.add(exported);
    void exported.finally(() => this.#pending.delete(exported));
  }

  async forceFlush(): Promise<void> {
    await Promise.all(this.#pending);
  }

  async shutdown(): Promise<void> {
    await this.forceFlush();
    this.#client.close();
  }

  #send(spans: ReadableSpan[]): Promise<void> {
    const request = ProtobufTraceSerializer.serializeRequest(spans);
    if (request === undefined) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const deadline = systemClock.now() + timeoutMs;
    this.#client.makeUnaryRequest(method, asBuffer, asIs, request, { deadline }, (error) =>
      error === null ? resolve() : reject(error),
    );
    return promise;
  }
}

function asIs(response: Buffer): Buffer {
  return response;
}

function asBuffer(request: Uint8Array): Buffer {
  return Buffer.from(request.buffer, request.byteOffset, request.byteLength);
}
