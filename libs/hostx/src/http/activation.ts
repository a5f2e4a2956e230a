/** A listening socket that was passed to the process. */
export interface ActivatedSocket {
  readonly fd: number;
  /** Its `FileDescriptorName=`; 'unknown' if none was given. */
  readonly name: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The first file descriptor that systemd passes (sd_listen_fds(3)). */
const FIRST_FD = 3;

const claimed = new Set<number>();

/**
 * The sockets that `LISTEN_FDS`, `LISTEN_PID` and `LISTEN_FDNAMES` announce to this process, as in
 * sd_listen_fds(3). Variables meant for another process id are ignored.
 */
export function activatedSockets(env: Env, pid: number): readonly ActivatedSocket[] {
  const count = Number(env['LISTEN_FDS']);
  if (env['LISTEN_PID'] !== String(pid) || !Number.isInteger(count) || count <= 0) return [];
  const names = env['LISTEN_FDNAMES']?.split(':') ?? [];
  return Array.from({ length: count }, (_, index) => ({
    fd: FIRST_FD + index,
    name: names[index] || 'unknown',
  }));
}

/**
 * The socket for a service: the one that is called `wanted`, or, with `wanted` undefined, the
 * one called like the service or else the only one there is. A socket is given out once.
 */
export function claimSocket(
  service: string,
  wanted: string | undefined,
  sockets: readonly ActivatedSocket[] = activatedSockets(process.env, process.pid),
  taken: Set<number> = claimed,
): ActivatedSocket | null {
  const name = wanted ?? service;
  const only = wanted === undefined && sockets.length === 1 ? sockets[0] : undefined;
  const found = sockets.find((socket) => socket.name === name) ?? only;
  if (found === undefined || taken.has(found.fd)) return null;
  taken.add(found.fd);
  return found;
}
