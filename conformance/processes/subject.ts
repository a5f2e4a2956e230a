import { readFileSync } from 'node:fs';
import type { Ports } from '../drain/ports.js';

/** How the processes of an app are started and replaced. */
export type Way = 'hostx' | 'cluster' | 'reusePort' | 'pm2';

/** An app in several processes, seen from outside. */
export interface Subject {
  readonly ports: Ports;
  /** Of what starts and replaces the processes. */
  readonly usage: Usage;
  /** Replaces all processes; resolves when the old ones have ended. */
  restart(): Promise<void>;
  /** Resolves with how it ended: its exit code, or the signal. */
  stop(): Promise<string>;
}

/** Memory in MB, and the time on a processor so far, in milliseconds. */
export interface Usage {
  readonly rss: number;
  readonly cpuMs: number;
}

export function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // In ticks of 10 ms, counted after the name, which may contain spaces.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11);
  return {
    rss: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024),
    cpuMs: (Number(user) + Number(system)) * 10,
  };
}
