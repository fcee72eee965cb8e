import type { IncomingHttpHeaders } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonValue } from '../../src/api/json/json.ts';
import { type Connection, type OpenStream, type Sent } from './connection.ts';
import { isTimed, mediaTypes, read, written } from './forms.ts';
import { Normalizer } from './normalize.ts';
import { filled, filledText } from './placeholders.ts';
import type { StepResponse, Script, Step } from './script.ts';

const retryMs = 50;
const maxTries = 400;

/** How long a server takes to notice changes, and its watches to show them. */
export interface Pace {
  readonly settleMs: number;
  readonly quietMs: number;
}

/** A server that is ready to be asked, and how fast. */
export interface Server {
  readonly connection: Connection;
  readonly pace: Pace;
}

/** Plays a script, and returns the comparable answers by step. */
export async function play({ steps }: Script, server: Server): Promise<Map<string, StepResponse>> {
  const player = new Player(server);
  const normalizer = new Normalizer();
  const answers = new Map<string, StepResponse>();
  for (const step of steps) answers.set(step.name, normalizer.answer(await player.answer(step)));
  return answers;
}

class Player {
  readonly #server: Server;
  readonly #bodies = new Map<string, JsonValue>();
  /** Entity tags of answers without a body. */
  readonly #tags = new Map<string, JsonValue>();
  readonly #streams = new Map<string, OpenStream>();

  constructor(server: Server) {
    this.#server = server;
  }

  async answer(step: Step): Promise<StepResponse> {
    const { connection, pace } = this.#server;
    if (step.eventsOf !== undefined) return this.#events(step.eventsOf);
    if (step.atSecond === true) await sleep(1_000 - (Date.now() % 1_000));
    const sent = this.#sent(step);
    if (step.open === true) {
      const stream = await connection.open(sent);
      this.#streams.set(step.name, stream);
      return { ...headOf(stream.headers), body: null };
    }
    let answer = await this.#send(sent, step);
    const { until } = step;
    for (let tries = 0; until !== undefined && !JSON.stringify(answer).includes(until); tries += 1) {
      if (tries > maxTries) break;
      await sleep(retryMs);
      answer = await this.#send(sent, step);
    }
    this.#bodies.set(step.name, this.#tags.get(step.name) ?? answer.body);
    if (step.settles !== undefined) await sleep(pace.settleMs * (step.settles === 'slowly' ? 5 : 1));
    return answer;
  }

  async #send(sent: Sent, { name, as }: Step): Promise<StepResponse> {
    try {
      const { headers, bytes } = await this.#server.connection.send(sent, as);
      if (bytes.length === 0) this.#tags.set(name, tagOf(headers));
      return { ...headOf(headers), body: read(bytes, headers['content-type'] ?? '') };
    } catch (error) {
      // A request that is not answered is comparable as well.
      return { code: 0, headers: {}, body: error instanceof Error ? error.message : String(error) };
    }
  }

  async #events({ step, count }: { readonly step: string; readonly count: number }): Promise<StepResponse> {
    const stream = this.#streams.get(step);
    if (stream === undefined) throw new Error(`no watch ${step}`);
    const lines = (await stream.text(count, this.#server.pace.quietMs)).trimEnd().split('\n');
    const sent = lines.filter((line) => !isTimed(line));
    return { ...headOf(stream.headers), body: sent.map((line) => read(Buffer.from(line), 'application/json')) };
  }

  #sent({ method, path, body, form = 'json', contentType = mediaTypes[form], accept, headers = {} }: Step): Sent {
    const bodies = this.#bodies;
    const text = body === undefined ? undefined : written(filled(body, bodies), form);
    const all = {
      accept: accept ?? 'application/json',
      ...(text === undefined ? {} : { 'content-type': contentType }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filledText(value, bodies)])),
    };
    return { method, path: filledText(path, bodies), headers: all, body: text };
  }
}

/** Later steps may send the tag of a document. */
function tagOf({ etag = '' }: IncomingHttpHeaders): JsonValue {
  return { etag, bare: etag.replaceAll('"', '') };
}

/** The headers that clients read. */
const comparedHeaders = [
  'content-type',
  'warning',
  'location',
  'retry-after',
  'cache-control',
  'www-authenticate',
  'allow',
  'x-content-type-options',
  'vary',
  'deprecation',
];

function headOf(headers: IncomingHttpHeaders): Omit<StepResponse, 'body'> {
  const found = comparedHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { code: Number(headers[':status']), headers: Object.fromEntries(found) };
}
