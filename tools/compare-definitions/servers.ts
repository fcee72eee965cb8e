import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { ApiClient } from '../../test/api-client.ts';
import type { WriteResponse } from '../../test/recorded/validation/answer.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const maxTries = 600;

export type Send = (method: string, path: string, body?: JsonObject) => Promise<WriteResponse>;

/** Our server. Plain text responses are those for missing paths. */
export function sendingTo(client: ApiClient): Send {
  return async (method, path, body) => {
    try {
      const { code, headers, body: answer } = await client.send(method, path, body === undefined ? {} : { body });
      return { code, body: answer, warnings: [headers['warning'] ?? []].flat().map(String) };
    } catch (error) {
      if (error instanceof SyntaxError) return { code: 404, body: {}, warnings: [] };
      throw error;
    }
  };
}

/** Sends the same requests to two servers: the reference first, then ours. */
export class Servers {
  readonly #servers: readonly Send[];

  constructor(servers: readonly Send[]) {
    this.#servers = servers;
  }

  send(method: string, path: string, body?: JsonObject): Promise<readonly WriteResponse[]> {
    return Promise.all(this.#servers.map((send) => send(method, path, body)));
  }

  createDefinition(definition: JsonObject, isDryRun: boolean): Promise<readonly WriteResponse[]> {
    return this.send('POST', `${definitions}${isDryRun ? '?dryRun=All' : ''}`, definition);
  }

  /** Both definitions once their names have been decided, either way. */
  async settled(name: string): Promise<readonly JsonObject[]> {
    return this.until('GET', `${definitions}/${name}`, ({ body }) => {
      const conditions = conditionsOf(body);
      return conditions.some(
        ({ type, status }) => status === (type === 'Established' ? 'True' : type === 'NamesAccepted' ? 'False' : ''),
      );
    });
  }

  async removed(name: string): Promise<void> {
    await this.send('DELETE', `${definitions}/${name}`);
    await this.until('GET', `${definitions}/${name}`, ({ code }) => code === 404);
  }

  /** Retries until both responses match. */
  async until(
    method: string,
    path: string,
    isSuch: (answer: WriteResponse) => boolean,
  ): Promise<readonly JsonObject[]> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const answers = await this.send(method, path);
      if (answers.every(isSuch)) return answers.map(({ body }) => body);
      await sleep(100);
    }
    throw new Error(`${path} does not become what it should`);
  }
}

export function conditionsOf({ status }: JsonObject): readonly JsonObject[] {
  const conditions: JsonValue | undefined = isJsonObject(status) ? status['conditions'] : undefined;
  return Array.isArray(conditions) ? conditions.filter(isJsonObject) : [];
}
