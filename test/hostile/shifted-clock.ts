/** Preloaded into a server: its parent sets by how many milliseconds the clock of this process is off. */
const now = Date.now.bind(Date);
let shiftMs = 0;

Date.now = () => now() + shiftMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, args: [], newTarget: new (...args: []) => Date) =>
    Reflect.construct(target, args.length === 0 ? [now() + shiftMs] : args, newTarget) as Date,
});

process.on('message', (message) => {
  shiftMs = Number(message);
  process.send?.('shifted');
});
process.channel?.unref();
