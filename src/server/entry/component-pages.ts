import { formatTime } from '../../api/time/time.ts';
import type { ComponentPage } from '../../http/routes/component-pages.ts';
import type { RequestContext } from '../../http/request/request-context.ts';
import { kubernetesVersion, runtimeVersion } from '../version.ts';

export interface ComponentPagesOptions {
  /** Flags and their values, including defaults. */
  readonly flags: ReadonlyMap<string, string>;
  /** `1.37` */
  readonly emulatedVersion: string;
  /** The paths listed at `/`. */
  readonly paths: (context: RequestContext) => readonly string[];
}

/** `/statusz` and `/flagz`. */
export function componentPages({ flags, emulatedVersion, paths }: ComponentPagesOptions): readonly ComponentPage[] {
  const sortedFlags = [...flags].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    {
      path: '/statusz',
      kind: 'Statusz',
      gate: 'ComponentStatusz',
      object: (context) => ({
        startTime: formatTime({ epochMs: startedMs() }),
        uptimeSeconds: uptimeSeconds(context),
        goVersion: runtimeVersion,
        binaryVersion: kubernetesVersion,
        emulationVersion: emulatedVersion,
        paths: pagesAmong(paths(context)),
      }),
      text: (context, separator) =>
        [
          ['Started', unixDate(startedMs())],
          ['Up', uptimeText(uptimeSeconds(context))],
          ['Go version', runtimeVersion],
          ['Binary version', kubernetesVersion],
          ['Emulation version', emulatedVersion],
          ['Paths', pagesAmong(paths(context)).join(' ')],
        ].reduce((text, [name, value]) => `${text}${name}${separator} ${value}\n`, '\n'),
    },
    {
      path: '/flagz',
      kind: 'Flagz',
      gate: 'ComponentFlagz',
      object: () => ({ flags: Object.fromEntries(sortedFlags) }),
      text: (_, separator) => sortedFlags.map(([name, value]) => `${name}${separator}${value}\n`).join(''),
    },
  ];
}

/** When the process started, in whole seconds. */
function startedMs(): number {
  return Math.floor(performance.timeOrigin / 1000) * 1000;
}

function uptimeSeconds({ clock }: RequestContext): number {
  return Math.max(0, Math.floor((clock.now() - startedMs()) / 1000));
}

/** `3 hr 07 min 09 sec` */
function uptimeText(seconds: number): string {
  const two = (count: number): string => String(Math.floor(count) % 60).padStart(2, '0');
  return `${Math.floor(seconds / 3600)} hr ${two(seconds / 60)} min ${two(seconds)} sec`;
}

/** Go's `time.UnixDate`: `Sun Nov 22 21:07:18 UTC 2026`. */
function unixDate(ms: number): string {
  const [day = '', date = '', month, year, time] = new Date(ms).toUTCString().split(' ');
  return `${day.replace(',', '')} ${month} ${String(Number(date)).padStart(2)} ${time} UTC ${year}`;
}

const notForDebugging = new Set(['/api', '/apis', '/openapi', '/openid', '/.well-known']);

/** Paths about the process, without subpaths. */
function pagesAmong(paths: readonly string[]): string[] {
  const first = paths.map((path) => `/${path.split('/')[1] ?? ''}`);
  return [...new Set(first)].filter((path) => path !== '/' && !notForDebugging.has(path)).toSorted();
}
