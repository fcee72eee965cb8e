import { Asker, type Load } from '../load.ts';

/** As a monitoring system does. */
export const scrapes: Load = {
  name: 'scrapes',
  does: 'read /metrics and /readyz',
  everyMs: 15_000,
  async start({ server }) {
    const asker = await Asker.connect(server);
    return {
      async step() {
        await asker.client.text('/metrics');
        await asker.client.text('/readyz?verbose');
      },
      [Symbol.asyncDispose]: async () => asker[Symbol.dispose](),
    };
  },
};
