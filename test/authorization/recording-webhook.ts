import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '../../src/api/json/json.ts';

/** A received review. */
interface ReceivedReview {
  readonly path: string;
  readonly body: JsonObject;
}

/** Responses by the user of the review. */
export type WebhookResponses = { readonly [user: string]: { readonly code?: number; readonly body: unknown } };

/** A webhook that records reviews by request path. */
export class RecordingWebhook implements AsyncDisposable {
  readonly asked: ReceivedReview[] = [];
  readonly #answers: WebhookResponses;
  readonly #server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      this.asked.push({ path: request.url ?? '', body });
      const { code = 200, body: answer } = this.#answers[userOf(body)] ?? { body: { ...body, status: {} } };
      response.writeHead(code, { 'content-type': 'application/json' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(merged(body, answer)));
    });
  });

  constructor(answers: WebhookResponses) {
    this.#answers = answers;
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** Writes a kubeconfig for one of its paths. */
  writeKubeconfig(file: string, path: string): void {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the webhook does not listen');
    const cluster = { server: `http://127.0.0.1:${address.port}${path}` };
    const context = { cluster: 'c', user: 'u' };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'x',
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user: {} }],
      contexts: [{ name: 'x', context }],
    };
    writeFileSync(file, JSON.stringify(config));
  }

  /** Takes the reviews received at a path since the last call. */
  take(path: string): readonly JsonObject[] {
    const taken = this.asked.filter((each) => each.path.startsWith(path)).map(({ body }) => body);
    const left = this.asked.filter((each) => !each.path.startsWith(path));
    this.asked.splice(0, this.asked.length, ...left);
    return taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return JSON.parse(text) as JsonObject; // servers send objects
}

function userOf({ spec }: JsonObject): string {
  return isJsonObject(spec) && typeof spec['user'] === 'string' ? spec['user'] : '';
}

/** The response is the review with a status, unless configured to be something else. */
function merged(body: JsonObject, answer: unknown): unknown {
  const isStatus = typeof answer === 'object' && answer !== null && !('kind' in answer);
  return isStatus ? { ...body, status: answer } : answer;
}
