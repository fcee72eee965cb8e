import { expect, test } from 'vitest';
import { configurations } from '../../../tools/fuzz-admission/configurations.ts';
import { startFuzzedServer } from '../../../tools/fuzz-admission/fuzzed-server.ts';
import { playSeed, prepare } from '../../../tools/fuzz-admission/play.ts';
import { digestOf, readRandom } from './random-requests.ts';
import { Player } from '../differential/player.ts';
import { inParallel } from '../../in-parallel.ts';

// Random requests under several sets of plugins, as recorded by tools/fuzz-admission.

test.for(configurations)(
  'with $name plugins random requests are answered like by the reference',
  async (configuration) => {
    await using server = await startFuzzedServer(configuration);
    using player = await Player.connect(server);
    await prepare(player, 200);
    const different: unknown[] = [];
    await inParallel([...readRandom(configuration.name)], 4, async ([seed, digests]) => {
      const played = await playSeed(player, Number(seed), async () => {});
      expect(played).toHaveLength(digests.length);
      const at = digests.findIndex((digest, index) => digestOf(played[index]?.answer) !== digest);
      if (at !== -1) different.push({ seed, at, ...played[at] });
    });
    expect(different).toEqual([]);
  },
);
