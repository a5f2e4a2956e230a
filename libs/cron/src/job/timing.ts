import { formatDuration } from '@apix/contracts';
import type { Schedule } from '../schedule/schedule.js';

/** When a job runs. */
export type Timing =
  | { readonly kind: 'every'; readonly intervalMs: number }
  | { readonly kind: 'at'; readonly schedule: Schedule };

/** The interval or the expression, for messages and lists. */
export function describeTiming(timing: Timing): string {
  return timing.kind === 'every'
    ? `every ${formatDuration(timing.intervalMs)}`
    : (timing.schedule.description ?? 'custom');
}
