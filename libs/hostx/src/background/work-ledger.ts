import { type JobState, type WorkScope, pause } from '@apix/contracts';
import { FollowedWork, type WorkAbout, type WorkUnit } from './followed-work.js';

/** All background work of an app. */
export class WorkLedger {
  readonly #works: FollowedWork[] = [];
  readonly #names = new Set<string>();
  readonly #scopes: () => readonly WorkScope[];
  #isStopping = false;

  /** @param scopes asked for each run: they may not be made yet when the ledger is. */
  constructor(scopes: () => readonly WorkScope[]) {
    this.#scopes = scopes;
  }

  get works(): readonly FollowedWork[] {
    return this.#works;
  }

  /** Whether nothing new may begin. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  beginStop(): void {
    this.#isStopping = true;
  }

  /** Adds a row; a name that is taken gets a number. */
  add(about: WorkAbout): FollowedWork {
    let { name } = about;
    for (let at = 2; this.#names.has(name); at++) name = `${about.name} #${at}`;
    this.#names.add(name);
    const work = new FollowedWork({ ...about, name }, this.#scopes);
    this.#works.push(work);
    return work;
  }

  states(): readonly JobState[] {
    return this.#works.map((work) => work.state(this.#isStopping));
  }
}

/** How long runs that have emitted a first value may continue to emit after the rest has ended. */
const STREAM_MS = 1_000;

/**
 * Resolves when everything has ended that is under way now; what begins later is not waited for.
 * A stream, which may be without end, is closed a second after the rest has ended.
 */
export async function whenEnded(works: readonly FollowedWork[]): Promise<void> {
  const units = unitsOf(works);
  await Promise.all(units.map(({ answered }) => answered));
  const ended = Promise.all(units.map((unit) => unit.ended));
  const over = new AbortController();
  await Promise.race([ended, pause(STREAM_MS, over.signal)]);
  over.abort();
  for (const unit of units) unit.close();
  await ended;
}

/** What is under way, for people. */
export function unitsOf(works: readonly FollowedWork[]): readonly WorkUnit[] {
  return works.flatMap(({ underWay }) => underWay);
}
