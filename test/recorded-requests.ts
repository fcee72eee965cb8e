import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from './api-client.ts';
import { adminTls, type TestServer } from './server-fixture.ts';

/** A request whose responses are recorded. */
export interface RecordedRequest {
  /** Unique: the key of the recorded responses. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly contentType?: string | undefined;
  /** Undefined: the request has no such header. */
  readonly accept?: string | undefined;
  readonly body?: object;
}

const maxTries = 200;

/** Sends requests with no headers but those that they name, and gives their responses as they came. */
export class RequestSender implements Disposable {
  readonly #session: ClientHttp2Session;
  readonly #userAgent: string;

  private constructor(session: ClientHttp2Session, userAgent: string) {
    this.#session = session;
    this.#userAgent = userAgent;
  }

  static async connect(
    { url, kubeconfigPath }: Pick<TestServer, 'url' | 'kubeconfigPath'>,
    userAgent: string,
  ): Promise<RequestSender> {
    return new RequestSender(connect(url, await adminTls(kubeconfigPath)), userAgent);
  }

  async send({
    method,
    path,
    contentType,
    accept,
    body,
  }: RecordedRequest): Promise<{ readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }> {
    const stream = this.#session.request(
      {
        ':method': method,
        ':path': path,
        'user-agent': this.#userAgent,
        ...(accept === undefined ? {} : { accept }),
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      },
      { endStream: body === undefined },
    );
    if (body !== undefined) stream.end(JSON.stringify(body));
    return answerOf(stream);
  }

  /**
   * Makes an object, or waits for another response: a definition is served slightly later than it is created, and so
   * are namespaces and policies known.
   */
  async make(asked: RecordedRequest, code = 201): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const { headers, bytes } = await this.send(asked);
      if (Number(headers[':status']) === code) return;
      if (tries > maxTries) throw new Error(bytes.toString());
      await sleep(50);
    }
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }
}
