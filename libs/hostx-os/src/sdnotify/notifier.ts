import { thrownText } from '@apix/contracts';
import { openNotifySocket } from './notify-socket.js';
import type { NotifySocket } from './patient-socket.js';

const US_PER_MS = 1_000;
const NS_PER_US = 1_000n;

/**
 * Notifications of a process to systemd, sd_notify(3). Everything is a no-op if `NOTIFY_SOCKET` is not set,
 * and nothing blocks or throws.
 */
export class Notifier {
  /** Milliseconds within which systemd wants to be pinged; null when the unit has no watchdog. */
  readonly watchdogMs: number | null;
  readonly #socket: NotifySocket | null;
  #status = '';

  constructor(socket: NotifySocket | null, watchdogMs: number | null = null) {
    this.#socket = socket;
    this.watchdogMs = socket === null ? null : watchdogMs;
  }

  /**
   * Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`, and removes them: a child process must not
   * speak for this one. A socket that cannot be used is reported as a warning of the process.
   */
  static fromEnv(env: NodeJS.ProcessEnv = process.env): Notifier {
    const { NOTIFY_SOCKET: name, WATCHDOG_USEC: usec, WATCHDOG_PID: pid } = env;
    for (const key of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete env[key];
    if (name === undefined || name === '') return new Notifier(null);
    try {
      return new Notifier(openNotifySocket(name), watchdogMs(usec, pid));
    } catch (error) {
      process.emitWarning('hostx-os: cannot notify systemd', { detail: thrownText(error) });
      return new Notifier(null);
    }
  }

  /** False if there is no service manager to notify. */
  get isEnabled(): boolean {
    return this.#socket !== null;
  }

  ready(): void {
    this.#send('READY=1');
  }

  stopping(): void {
    this.#send('STOPPING=1');
  }

  /** Before a reload; {@link ready} ends it. With the time that `Type=notify-reload` asks for. */
  reloading(): void {
    // hrtime is CLOCK_MONOTONIC, which is what systemd compares with.
    this.#send(`RELOADING=1\nMONOTONIC_USEC=${process.hrtime.bigint() / NS_PER_US}`);
  }

  /** One line for `systemctl status`; the same one twice is sent once. */
  status(text: string): void {
    const line = text.replaceAll(/\s+/g, ' ');
    if (line !== this.#status) this.#send(`STATUS=${line}`);
    this.#status = line;
  }

  /** Asks for `ms` more, from now, for the start or the stop under way. */
  extendTimeout(ms: number): void {
    this.#send(`EXTEND_TIMEOUT_USEC=${Math.round(ms * US_PER_MS)}`);
  }

  watchdog(): void {
    this.#send('WATCHDOG=1');
  }

  close(): void {
    this.#socket?.close();
  }

  #send(text: string): void {
    this.#socket?.send(text);
  }
}

/** The watchdog of another process does not concern this one. */
function watchdogMs(usec: string | undefined, pid: string | undefined): number | null {
  const ms = Number(usec ?? 0) / US_PER_MS;
  const isOurs = pid === undefined || pid === '' || Number(pid) === process.pid;
  return Number.isFinite(ms) && ms > 0 && isOurs ? ms : null;
}
