import { type ClientHttp2Session, connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from '../../api-client.ts';
import { adminTls } from '../../server-fixture.ts';
import { normalize } from './normalize.ts';
import type { StepResponse, Scenario, Step } from './scenario.ts';

const pauseMs = 30;
/** The reference processes deletions of definitions every five seconds. */
const maxTries = 400;

/** Plays scenarios against one server over one connection. */
export class Player implements Disposable {
  readonly #session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
  }

  static async connect(server: { readonly url: string; readonly kubeconfigPath: string }): Promise<Player> {
    return new Player(connect(server.url, await adminTls(server.kubeconfigPath)));
  }

  /** Returns the normalized responses by step. */
  async play({ steps }: Scenario, betweenSteps?: () => Promise<void>): Promise<Map<string, StepResponse>> {
    const answers = new Map<string, StepResponse>();
    for (const step of steps) {
      answers.set(step.name, normalize(await this.#answer(step)));
      await betweenSteps?.();
    }
    return answers;
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }

  async #answer(step: Step): Promise<StepResponse> {
    const { until } = step;
    let answer = await this.#send(step);
    if (until === undefined) return answer;
    for (let tries = 0; tries < maxTries && !JSON.stringify(answer).includes(until); tries += 1) {
      await sleep(pauseMs);
      answer = await this.#send(step);
    }
    return answer;
  }

  async #send({ method, path, body, contentType = 'application/json', accept, headers }: Step): Promise<StepResponse> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const stream = this.#session.request(
      {
        ':method': method,
        ':path': path,
        'user-agent': 'differential',
        ...(accept === undefined ? {} : { accept }),
        ...(text === undefined ? {} : { 'content-type': contentType }),
        ...headers,
      },
      { endStream: text === undefined },
    );
    if (text !== undefined) stream.end(text);
    const { headers: found, bytes } = await answerOf(stream);
    return {
      code: Number(found[':status']),
      contentType: found['content-type'] ?? '',
      warnings: [(found['warning'] as string | string[] | undefined) ?? []].flat(),
      body: parsed(bytes.toString('utf8')),
    };
  }
}

/** JSON as data, an event stream as a list, everything else as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const lines = text.trimEnd().split('\n');
    try {
      return lines.length > 1 ? lines.map((line) => JSON.parse(line) as unknown) : text;
    } catch {
      return text;
    }
  }
}
