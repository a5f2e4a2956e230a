import type { PageView } from '../src/page-view.js';
import { spanText } from './texts.js';

/**
 * Whether the page shows the current state of the host, its state when updates were paused, or its last
 * known state; `over` if access was refused.
 */
export type Connection = 'live' | 'paused' | 'lost' | 'over';

export interface Banner {
  readonly text: string;
  /** The explanation; empty if there is none. */
  readonly why: string;
  readonly look: 'good' | 'busy' | 'bad' | '';
}

/**
 * The text that says whether the instance is ready, and if not, why.
 *
 * @param at when the view was sent, by the same clock as `now`.
 */
export function bannerOf(
  view: PageView | null,
  connection: Connection,
  at: number,
  now: number,
): Banner {
  const ago = `what is shown is ${spanText(now - at)} old`;
  if (connection === 'over')
    return { text: 'access ended', why: `${ago}; reload the page`, look: 'bad' };
  if (connection === 'lost') return { text: 'no connection to the host', why: ago, look: 'bad' };
  if (view === null) return { text: 'connecting', why: '', look: '' };
  const readiness = readinessOf(view);
  if (connection === 'live') return readiness;
  return {
    ...readiness,
    why: [readiness.why, `paused, ${ago}`].filter(Boolean).join(' · '),
    look: 'busy',
  };
}

function readinessOf({ host, health }: PageView): Banner {
  if (host.phase === 'stopping' || host.phase === 'stopped') {
    const why = `the host is ${host.phase}${host.reason === undefined ? '' : `: ${host.reason}`}`;
    return { text: 'not ready for traffic', why, look: 'bad' };
  }
  if (health === null) return { text: 'checking', why: '', look: '' };
  if (health.isReady) return { text: 'ready for traffic', why: '', look: 'good' };
  const failing = health.checks.filter(({ outcome }) => outcome !== 'ok');
  const why = failing.map(({ name, outcome }) => `${name}: ${outcome}`).join(' · ');
  return { text: 'not ready for traffic', why: why || `the host is ${host.phase}`, look: 'bad' };
}
