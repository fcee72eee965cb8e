import { Asker, type Load } from '../load.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Every one has a name that was never there. */
export const definitions: Load = {
  name: 'definitions',
  does: 'create a definition of a new kind, wait for it, read its OpenAPI document, write ten objects, change its schema and add a version, list, delete it with its objects',
  everyMs: 4_000,
  async start({ server, random }) {
    const asker = await Asker.connect(server);
    let count = 0;
    return {
      async step() {
        count += 1;
        const plural = `things${count}`;
        const name = `${plural}.endurance.example.com`;
        await asker.create(definitionsPath, definitionOf(plural, ['v1']));
        await asker.until(definitionsPath, name, isEstablished);
        const list = (version: string): string => `/apis/endurance.example.com/${version}/namespaces/default/${plural}`;
        for (let at = 0; at < 10; at += 1) {
          const spec = { size: at, text: 'x'.repeat(random.integer(0, 1_000)) };
          const head = { apiVersion: 'endurance.example.com/v1', kind: kindOf(plural), metadata: { name: `t${at}` } };
          await asker.ask('POST', list('v1'), { body: { ...head, spec }, codes: [201, 404] });
        }
        await asker.client.text('/openapi/v3/apis/endurance.example.com/v1');
        const body = { spec: definitionOf(plural, ['v1', 'v2']).spec };
        await asker.ask('PATCH', `${definitionsPath}/${name}`, { body, contentType: 'application/merge-patch+json' });
        await asker.ask('GET', list('v2'), { codes: [200, 404] });
        await asker.delete(`${definitionsPath}/${name}`);
        await asker.until(definitionsPath, name, (found) => found === undefined);
      },
      [Symbol.asyncDispose]: async () => asker[Symbol.dispose](),
    };
  },
};

interface Definition {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null };
}

function isEstablished(found: unknown): boolean {
  const conditions = (found as Definition | undefined)?.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}

function kindOf(plural: string): string {
  return plural.replace('things', 'Thing');
}

function definitionOf(plural: string, versions: readonly string[]) {
  const kind = kindOf(plural);
  const properties = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`field${at}`, { type: 'string', maxLength: 100 }]),
  );
  const rules = [{ rule: 'self.size >= 0', message: 'too small' }];
  const spec = { type: 'object', properties: { size: { type: 'integer' }, text: { type: 'string' }, ...properties } };
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { ...spec, 'x-kubernetes-validations': rules }, status: { type: 'object', properties } },
  };
  return {
    metadata: { name: `${plural}.endurance.example.com` },
    spec: {
      group: 'endurance.example.com',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: versions.map((name, at) => ({
        name,
        served: true,
        storage: at === versions.length - 1,
        schema: { openAPIV3Schema },
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
      })),
    },
  };
}
