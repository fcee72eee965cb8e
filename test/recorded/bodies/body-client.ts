import { type ClientHttp2Session, connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from '../../api-client.ts';
import { adminTls } from '../../server-fixture.ts';
import { type BodyCase, bodyCase, jsonType, paths } from './case.ts';
import { gauges } from './cases/custom-values.ts';
import { mutatedFirst, mutatingPolicies, sail, sails } from './cases/mutated-numbers.ts';
import { tide, tides } from './cases/odd-instances.ts';
import { meter, meterBinding, meterPolicy, meters } from './cases/written-numbers.ts';
import type { PatchingHook } from './patching-hook.ts';

/** The recorded part of a response: the message of a refusal, or the body of a success. */
export interface BodyResponse {
  readonly code: number;
  readonly warnings: readonly string[];
  readonly text: string;
}

/** Sends bodies byte for byte, as dry runs. */
export class BodyClient implements Disposable {
  readonly #session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
  }

  static async connect(server: { readonly url: string; readonly kubeconfigPath: string }): Promise<BodyClient> {
    // Each warning is a header.
    const options = { ...(await adminTls(server.kubeconfigPath)), maxHeaderListPairs: 1_000 };
    return new BodyClient(connect(server.url, options));
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }

  /** The response with fieldValidation Strict, and those with Warn and Ignore if different. */
  async answers(body: BodyCase): Promise<BodyResponse[]> {
    const strict = await this.send(body, 'Strict');
    if (!strict.text.includes('strict decoding error')) return [strict];
    return [strict, await this.send(body, 'Warn'), await this.send(body, 'Ignore')];
  }

  /** Creates the namespace and the kind of the cases, the objects to be patched, and what mutates others. */
  async prepare(hook: PatchingHook): Promise<void> {
    await this.#create('/api/v1/namespaces', '{"metadata":{"name":"bodies"}}');
    await this.#create(
      paths.configmap,
      '{"metadata":{"name":"base","annotations":{"html":"&>\\u2028\\u003c"}},"data":{"base":"x","k":"1"}}',
    );
    await this.#create(paths.revision, '{"metadata":{"name":"base"},"revision":1,"data":{"a":"x"}}');
    await this.#create(paths.deployment, JSON.stringify(deployment));
    await this.#create(paths.definition, JSON.stringify(gauges));
    await this.#create(paths.definition, JSON.stringify(meters));
    await this.#create(`${admission}/validatingadmissionpolicies`, JSON.stringify(meterPolicy));
    await this.#create(`${admission}/validatingadmissionpolicybindings`, JSON.stringify(meterBinding));
    await this.#create(paths.definition, JSON.stringify(sails));
    await this.#create(paths.definition, JSON.stringify(tides));
    await this.#create(`${admission}/mutatingwebhookconfigurations`, JSON.stringify(hook.configuration));
    for (const policy of mutatingPolicies) {
      const { name } = policy.metadata;
      await this.#create(`${admission}/mutatingadmissionpolicies`, JSON.stringify(policy));
      const binding = { metadata: { name }, spec: { policyName: name } };
      await this.#create(`${admission}/mutatingadmissionpolicybindings`, JSON.stringify(binding));
    }
    await this.#until(201, '"kind":"Gauge"');
    await this.#until(201, '"kind":"Meter"');
    await this.#until(201, '"kind":"Sail"');
    await this.#until(201, '"kind":"Tide"');
    await this.#create(paths.tide, JSON.stringify(tide));
    await this.#create(paths.sail, JSON.stringify(sail));
    await this.#create(paths.meter, JSON.stringify(meter));
    await this.#until(422, '"kind":"Meter","policed":{"a":-1}');
    for (const { body, result } of mutatedFirst) await this.#untilText(body, result);
  }

  /** Waits until a custom resource gets this response. */
  async #until(code: number, members: string): Promise<void> {
    const path = (['gauge', 'sail', 'tide'] as const).find((each) => members.toLowerCase().includes(each)) ?? 'meter';
    const text = `{"apiVersion":"bodies.example.com/v1",${members},"metadata":{"name":"x"}}`;
    for (let tries = 0; (await this.send(bodyCase(path, text, jsonType), 'Strict')).code !== code; tries += 1) {
      if (tries > 200) throw new Error(`no response ${code} to ${members}`);
      await sleep(50);
    }
  }

  /** Waits until the response to a body includes a text. */
  async #untilText(body: BodyCase, result: string): Promise<void> {
    for (let tries = 0; !(await this.send(body, 'Strict')).text.includes(result); tries += 1) {
      if (tries > 200) throw new Error(`no ${result} in the response to ${body.name}`);
      await sleep(50);
    }
  }

  async #create(path: string, body: string): Promise<void> {
    const stream = this.#session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' });
    stream.end(body);
    for await (const _ of stream.resume());
  }

  async send({ path, bytes, contentType, accept, method }: BodyCase, fieldValidation: string): Promise<BodyResponse> {
    const stream = this.#session.request(
      {
        ':method': method ?? 'POST',
        ':path': `${path}${path.includes('?') ? '&' : '?'}dryRun=All&fieldValidation=${fieldValidation}`,
        'user-agent': 'bodies',
        'content-type': contentType,
        ...(accept === undefined ? {} : { accept }),
      },
      { endStream: method === 'GET' },
    );
    if (method !== 'GET') stream.end(bytes);
    const { headers, bytes: body } = await answerOf(stream);
    const code = Number(headers[':status']);
    const text = body.toString('utf8');
    return {
      code,
      warnings: [(headers['warning'] as string | string[] | undefined) ?? []].flat(),
      text: normalize(code < 300 ? text : (messageOf(text) ?? text)),
    };
  }
}

const admission = '/apis/admissionregistration.k8s.io/v1';

/** A deployment to be patched. */
const deployment = {
  metadata: { name: 'base' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};

/** The message as escaped in the response: the escaping matters too. */
function messageOf(status: string): string | undefined {
  return /"message":"((?:[^"\\]|\\.)*)"/.exec(status)?.[1];
}

const replacements: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>'],
  [/("(?:creationTimestamp|lastTransitionTime)":")20[^"]*Z"/g, '$1<time>"'],
  [/"namespace":"bodies","uid":"<uid>",("generation":1,)?"creationTimestamp":"<time>"/, '<server fields>'],
  // Defaults, the same in every pod.
  [/"terminationMessagePath".*?"imagePullPolicy":"\w+"/g, '<container defaults>'],
  [/"dnsPolicy".*?"schedulerName":"[^"]*"/g, '<pod defaults>'],
  [/"tolerations":\[\{"key":"node.kubernetes.io\/not-ready".*?\]/g, '<tolerations>'],
  [/,?"managedFields":\[.*?\](?=[},])/g, ''],
  // The same in YAML.
  [/("?(?:creationTimestamp|lastTransitionTime)"?: ")20[^"]*Z"/g, '$1<time>"'],
  [/^( *)managedFields:\n(?:\1[- ] .*\n)*/gm, ''],
  [/(resourceVersion"?: ?"?)\d+/g, '$1<version>'],
  // The object shown in errors of patches.
  [/Invalid value: \\"\{.*\}\\": /, 'Invalid value: <object>: '],
  // Column descriptions are our own.
  [/"description": ?"(?:[^"\\]|\\.)*"/g, '"description":"<own words>"'],
  [/("cells": ?\[[^\]]*)"\d+[smhd](?:\d+[smh])?"(?=\s*\])/g, '$1"<age>"'],
  [/("time": ?")20[^"]*Z"/g, '$1<time>"'],
];

function normalize(text: string): string {
  return replacements.reduce((current, [pattern, replacement]) => current.replace(pattern, replacement), text);
}
