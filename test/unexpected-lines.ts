/** Lines of a server's log, except about requests that took more than half a second, as on a busy machine. */
export function unexpectedLines(log: string): readonly string[] {
  return log.split('\n').filter((line) => line !== '' && !/Trace\[\d+\]: /.test(line));
}
