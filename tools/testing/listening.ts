import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves once somebody listens on a port of this machine; the test's own time is the limit. */
export async function listening(port: number): Promise<void> {
  while (!(await accepts(port))) await sleep(10);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, 'localhost');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
