/**
 * Ending npm (or npx) ends the server. npm passes signals to the shell that it runs scripts in, but not every shell
 * forwards them to us, so we also stop when that shell is gone. The launcher contains the text of this function.
 */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}
