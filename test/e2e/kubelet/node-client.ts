import type { JsonObject } from '../../../src/api/json/json.ts';
import { ApiClient, type WatchEvent } from '../../api-client.ts';

/** A request was refused. */
export class ApiError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Requests of a kubelet. */
export class NodeClient implements Disposable {
  readonly #api: ApiClient;

  private constructor(api: ApiClient) {
    this.#api = api;
  }

  static async connect(url: string, kubeconfigPath: string): Promise<NodeClient> {
    return new NodeClient(await ApiClient.connect({ url, kubeconfigPath }));
  }

  /** The object that is returned. Throws an ApiError. */
  async send(
    method: string,
    path: string,
    body?: object,
    contentType: string = 'application/json',
  ): Promise<JsonObject> {
    const request = body === undefined ? {} : { body, contentType };
    const { code, body: answer } = await this.#api.send(method, path, request);
    if (code >= 400) throw new ApiError(code, `${method} ${path}: ${answer['message'] as string}`);
    return answer;
  }

  watch(path: string, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    return this.#api.watch(path, signal);
  }

  [Symbol.dispose](): void {
    this.#api[Symbol.dispose]();
  }
}
