import type { Clock } from '@apix/contracts';

/** A socket for datagrams to the service manager. */
export interface NotifySocket {
  /** False if nothing receives it; never waits and never throws. */
  send(text: string): boolean;
  close(): void;
}

/** The result of a send: `full` may pass, `lost` is final. */
export type Sent = 'sent' | 'full' | 'lost';

/** Sends datagrams, one at a time and without waiting. */
export interface Datagrams {
  send(text: string): Sent;
  close(): void;
}

/** How soon to try again, in milliseconds; each time twice as long, up to the longest. */
const FIRST_RETRY_MS = 10;
const LONGEST_RETRY_MS = 1_000;

/** So many messages wait for a manager that has stopped reading; the oldest are left out. */
const MAX_WAITING = 64;

/** Messages of which only the latest says anything. */
const LATEST_ONLY = /^(?:STATUS|WATCHDOG|EXTEND_TIMEOUT_USEC)=/;

/**
 * Keeps what finds the manager's queue full, and sends it, in its order, when there is room: a
 * READY=1 that were lost would end the unit at its timeout, and a reload as well.
 *
 * @param clock its timers must not keep the process alive.
 */
export function patientSocket(datagrams: Datagrams, clock: Clock): NotifySocket {
  const waiting: string[] = [];
  let retryMs = FIRST_RETRY_MS;
  let cancel: (() => void) | null = null;

  const flush = (): void => {
    while (waiting.length > 0) {
      if (datagrams.send(waiting[0]!) === 'full') return;
      waiting.shift();
    }
    retryMs = FIRST_RETRY_MS;
  };
  const retryLater = (): void => {
    if (waiting.length === 0 || cancel !== null) return;
    cancel = clock.after(retryMs, () => {
      cancel = null;
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      flush();
      retryLater();
    });
  };
  return {
    send(text) {
      if (waiting.length === 0) {
        const sent = datagrams.send(text);
        if (sent !== 'full') return sent === 'sent';
      }
      keep(waiting, text);
      retryLater();
      return true;
    },
    close() {
      cancel?.();
      flush();
      waiting.length = 0;
      datagrams.close();
    },
  };
}

function keep(waiting: string[], text: string): void {
  const kind = LATEST_ONLY.exec(text)?.[0];
  const older = kind === undefined ? -1 : waiting.findIndex((one) => one.startsWith(kind));
  if (older !== -1) waiting.splice(older, 1);
  waiting.push(text);
  if (waiting.length > MAX_WAITING) waiting.shift();
}
