import { startApiServer } from '../../src/embed/index.ts';
import { ApiClient } from '../../test/api-client.ts';

export interface MetricFacts {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

/** All metrics that a server shows, by name. */
export async function shownMetrics(): Promise<readonly MetricFacts[]> {
  await using server = await startApiServer();
  using client = await ApiClient.connect(server);
  const text = await client.text('/metrics');
  const helps = new Map([...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]));
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
    .map(([, name = '', type = '']) => ({ name, type, help: helps.get(name) ?? '' }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
