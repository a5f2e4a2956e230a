import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACK, FRAME, FrameReader, frame } from '../../tools/testing/http2-frames.js';
import { freePort } from '../../tools/testing/free-port.js';
import { accepting } from './clients.js';
import { rowsFor } from './differences.js';
import { play } from './differential.js';
import { Facts } from './facts.js';
import { makeSequence } from './sequences.js';
import { openOurs } from './servers.js';

const PING = Buffer.from('bed:ping');
const AT_ONCE = 8;

/** The first parts of sequences to our server and, over TCP, to nghttpd: the ends of connections. */
export async function runNghttpd(count: number, seed: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'apix-nghttpd-'));
  writeFileSync(join(folder, 'index.html'), 'ok');
  const port = await freePort();
  const daemon = spawn('nghttpd', ['--no-tls', '-d', folder, String(port)], { stdio: 'ignore' });
  let isGone = false;
  daemon.once('exit', () => (isGone = true));
  await accepting(port);
  const mistakes: string[] = [];
  let [next, differing] = [0, 0];
  const lane = async (): Promise<void> => {
    while (next < count) {
      const nth = next++;
      const sequence = { ...makeSequence(seed, nth), second: [] };
      const ours = await play(sequence, openOurs, 2);
      // It waits for the rest of a frame.
      if (ours.isMute) continue;
      const theirs = await endAt(port, Buffer.concat(sequence.first));
      const isOpen = ours.connection === 'open';
      if (
        isOpen === (theirs === 'open') &&
        (isOpen || theirs === 'closed' || theirs === ours.connection)
      )
        continue;
      const facts = new Facts(sequence);
      differing += 1;
      if (rowsFor(facts, undefined, ours.connection, theirs).length > 0) continue;
      mistakes.push(
        `sequence ${nth}: ours ${ours.connection} ${ours.reason}, nghttpd ${theirs}; ${facts.toString()}`,
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  if (isGone) mistakes.push('nghttpd has ended');
  daemon.kill();
  rmSync(folder, { recursive: true });
  for (const mistake of mistakes.slice(0, 10)) console.log(`WRONG ${mistake}`);
  console.log(
    `${count} sequences of seed ${seed} to nghttpd: ${differing} documented differences, ${mistakes.length} others`,
  );
  return mistakes.length;
}

/** Whether the connection is open once all is read, or how it ended. */
async function endAt(port: number, bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const reader = new FrameReader();
  const end = new Promise<string>((resolve) => {
    let goaway: string | undefined;
    let isRead = false;
    socket.on('data', (data: Buffer) => {
      for (const { type, flags, payload } of reader.read(data)) {
        const code = type === FRAME.goaway ? payload.readUInt32BE(4) : 0;
        if (code > 0) goaway ??= `goaway ${code}`;
        const isAnswer = type === FRAME.ping && (flags & ACK) !== 0 && payload.equals(PING);
        isRead ||= isAnswer;
      }
      // An answer to a ping may come before a GOAWAY for what was read before it.
      if (goaway !== undefined) resolve(goaway);
      else if (isRead) resolve('open');
    });
    socket.once('close', () => resolve('closed'));
    socket.on('error', () => {});
  });
  socket.write(Buffer.concat([bytes, frame(FRAME.ping, 0, 0, PING)]));
  const found = await end;
  socket.destroy();
  return found;
}
