import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';

/** Whether a path leads to another server, which may use any protocol. */
export function upgradesAt(catalogue: LiveCatalogue): (path: string) => boolean {
  return (path) => {
    const [, prefix, first = '', second = ''] = path.split('/', 4);
    if (prefix === 'api') return catalogue.current.remote('', first) !== undefined;
    return prefix === 'apis' && catalogue.current.remote(first, second) !== undefined;
  };
}
