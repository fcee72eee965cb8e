/**
 * The beginning of a command with a network, mounts and processes of its own. They end with it, and it ends with the
 * process that starts it. Needs root.
 */
export const isolation = [
  'setpriv',
  '--pdeathsig',
  'KILL',
  'unshare',
  '--net',
  '--mount',
  '--pid',
  '--fork',
  '--mount-proc',
  '--kill-child',
] as const;
